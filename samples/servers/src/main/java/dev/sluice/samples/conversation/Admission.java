package dev.sluice.samples.conversation;

import dev.sluice.reactor.Registration;

/**
 * Decides whether a thread of a leader/followers pool may serve the connection that was reported ready to it. For any
 * thread.
 */
interface Admission {

    /** Any thread takes any turn. */
    Admission FREE = new Admission() {
        @Override
        public boolean begin(Registration connection, boolean left, long since) {
            return true;
        }

        @Override
        public void end() {
        }

        @Override
        public void resume() {
        }

        @Override
        public int postponed() {
            return 0;
        }
    };

    /**
     * Begins to serve a connection, or leaves it to another thread or for later. Called in its hook, when a new leader
     * has been promoted.
     *
     * @param connection its registration
     * @param left       whether it has been left before
     * @param since      when it was found ready, by {@link System#nanoTime()}
     * @return whether it is to be served now, and {@link #end} to be called
     */
    boolean begin(Registration connection, boolean left, long since);

    /** The turn is over. */
    void end();

    /** Lets a postponed connection have its turn, if a thread can take it. Also called for one that ended without. */
    void resume();

    /** {@return how many connections wait for a thread} */
    int postponed();
}

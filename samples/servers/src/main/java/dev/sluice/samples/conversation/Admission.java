package dev.sluice.samples.conversation;

import dev.sluice.reactor.Registration;

/**
 * Decides whether a thread of a leader/followers pool may serve the connection that was reported ready to it. For any
 * thread.
 */
interface Admission {

    /** Admits every quantum of any thread. */
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
     * Begins to serve a connection, or postpones it. Called in its hook, when a new leader has been promoted.
     *
     * @param connection the connection's registration
     * @param left       whether it has been postponed before
     * @param since      the time at which it was found ready, by {@link System#nanoTime()}
     * @return true if it is to be served now, followed by a call of {@link #end}
     */
    boolean begin(Registration connection, boolean left, long since);

    /** Called at the end of the quantum. */
    void end();

    /** Resumes a postponed connection, if a thread can serve it. Also called for one that has ended while postponed. */
    void resume();

    /** {@return the number of connections that wait for a thread} */
    int postponed();
}

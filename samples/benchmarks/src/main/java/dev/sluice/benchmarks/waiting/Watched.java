package dev.sluice.benchmarks.waiting;

/** The attachment of a connection's registration, which leads a program from an event to its handler. */
final class Watched {

    private final boolean ready;
    private boolean reported;

    /**
     * Creates an instance.
     *
     * @param ready whether there is something to receive
     */
    Watched(boolean ready) {
        this.ready = ready;
    }

    /**
     * The wait has reported it.
     *
     * @param readable whether as readable
     * @throws IllegalStateException if it is not ready
     */
    void report(boolean readable) {
        if (!ready || !readable) {
            throw new IllegalStateException("a connection without a byte was reported, or one with a byte for nothing");
        }
        reported = true;
    }

    boolean isReady() {
        return ready;
    }

    boolean isReported() {
        return reported;
    }
}

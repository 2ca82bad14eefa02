package dev.sluice.samples.adaptation;

/**
 * A growth of a pool on trial. Immutable.
 *
 * @param threads  how many there are without it
 * @param measured what was done without it and with it
 * @param idle     for how many looks in a row some of the threads that there are without it had nothing to do
 */
record Growth(int threads, Alternation measured, int idle) {

    /** Number of samples that count in a round; before them, new threads are started, or surplus ones leave. */
    private static final int COUNTED = 3;
    /** Two samples may find some threads between two requests, even if many requests wait. */
    private static final int MAX_IDLE = 3;

    static Growth of(int threads) {
        return new Growth(threads, Alternation.of(COUNTED), 0);
    }

    /**
     * {@return the next state, after a look}
     *
     * @param busy how many threads have something to do, and how much waits for one
     * @param rate what has been done since the look before, in octets per second
     */
    Growth next(int busy, double rate) {
        return new Growth(threads, measured.next(rate), busy < threads ? idle + 1 : 0);
    }

    /** {@return whether there are to be more threads until the next look} */
    boolean isInForce() {
        return measured.isInForce();
    }

    /** {@return whether even the earlier threads are too many by now, so that the trial has no result} */
    boolean isAbandoned() {
        return idle == MAX_IDLE;
    }

    /** {@return whether the trial is complete} */
    boolean isOver() {
        return measured.isOver();
    }

    /**
     * {@return whether the growth pays} It counts as paying if nothing at all is done: all threads then wait for
     * something other than processors.
     */
    boolean pays() {
        return measured.pays();
    }

    /** {@return the throughput without it, in octets per second} */
    double rate() {
        return measured.rate();
    }
}

package dev.sluice.samples.adaptation;

/**
 * A growth of a pool on trial: throughput without it and with it is measured alternately, so that a changing load
 * affects both. Immutable.
 *
 * @param threads how many there are without it
 * @param looks   the number of samples so far
 * @param turn    what has been done in this turn so far, in octets per second and for all its looks together
 * @param without what was done in all turns without it
 * @param most    the most of these
 * @param with    what was done in all turns with it
 * @param least   the least of these
 * @param idle    for how many looks in a row some of the threads that there are without it had nothing to do
 */
record Growth(int threads, int looks, double turn, double without, double most, double with, double least, int idle) {

    /** Number of samples that count in a round: the load varies from one tenth of a second to the next. */
    private static final int COUNTED = 3;
    /** In the first sample of a round, new threads have yet to be started, or surplus ones to leave. */
    private static final int SAMPLES_PER_ROUND = COUNTED + 1;
    /**
     * One with the growth for each without: if it makes no difference, all of the former are ahead once in seventy
     * times.
     */
    private static final int ROUNDS = 8;
    /** Less is chance, or not worth a thread. */
    private static final double CLEARLY_MORE = 1.05;
    /** Two samples may find some threads between two requests, even if many requests wait. */
    private static final int MAX_IDLE = 3;

    static Growth of(int threads) {
        return new Growth(threads, 0, 0, 0, 0, 0, Double.MAX_VALUE, 0);
    }

    /**
     * {@return the next state, after a look}
     *
     * @param busy how many threads have something to do, and how much waits for one
     * @param rate what has been done since the look before, in octets per second
     */
    Growth next(int busy, double rate) {
        int now = looks + 1;
        int idleNow = busy < threads ? idle + 1 : 0;
        int place = looks % SAMPLES_PER_ROUND;
        double sum = place == 0 ? 0 : turn + rate;
        if (place < COUNTED) {
            return new Growth(threads, now, sum, without, most, with, least, idleNow);
        }
        return isInForce()
                ? new Growth(threads, now, 0, without, most, with + sum, Math.min(least, sum), idleNow)
                : new Growth(threads, now, 0, without + sum, Math.max(most, sum), with, least, idleNow);
    }

    /** {@return whether there are to be more threads until the next look} */
    boolean isInForce() {
        return looks / SAMPLES_PER_ROUND % 2 == 1;
    }

    /** {@return whether even the earlier threads are too many by now, so that the trial has no result} */
    boolean isAbandoned() {
        return idle == MAX_IDLE;
    }

    /** {@return whether the trial is complete} */
    boolean isOver() {
        return looks == ROUNDS * SAMPLES_PER_ROUND;
    }

    /**
     * {@return whether the growth pays} It counts as paying if nothing at all is done: all threads then wait for
     * something other than processors.
     */
    boolean pays() {
        return without == 0 && with == 0 || with >= CLEARLY_MORE * without && least > most;
    }

    /** {@return the throughput without it, in octets per second} */
    double rate() {
        return without / (ROUNDS / 2 * COUNTED);
    }
}

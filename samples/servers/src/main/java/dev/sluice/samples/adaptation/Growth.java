package dev.sluice.samples.adaptation;

/**
 * A growth of a pool on trial: throughput without it and with it is measured alternately, so that a changing load
 * affects both. Immutable.
 *
 * @param threads    how many there are without it
 * @param samples    the number of samples so far
 * @param roundSum   what has been done in this round so far, in octets per second and for all its samples together
 * @param without    what was done in all rounds without it
 * @param maxWithout the maximum of these
 * @param with       what was done in all rounds with it
 * @param minWith    the minimum of these
 * @param idle       the number of samples in a row in which some of the threads that there are without it had nothing
 *                   to do
 */
record Growth(int threads, int samples, double roundSum, double without, double maxWithout, double with,
              double minWith, int idle) {

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
        int now = samples + 1;
        int idleNow = busy < threads ? idle + 1 : 0;
        int place = samples % SAMPLES_PER_ROUND;
        double sum = place == 0 ? 0 : roundSum + rate;
        if (place < COUNTED) {
            return new Growth(threads, now, sum, without, maxWithout, with, minWith, idleNow);
        }
        return isInForce()
                ? new Growth(threads, now, 0, without, maxWithout, with + sum, Math.min(minWith, sum), idleNow)
                : new Growth(threads, now, 0, without + sum, Math.max(maxWithout, sum), with, minWith, idleNow);
    }

    /** {@return whether there are to be more threads until the next look} */
    boolean isInForce() {
        return samples / SAMPLES_PER_ROUND % 2 == 1;
    }

    /** {@return whether even the earlier threads are too many by now, so that the trial has no result} */
    boolean isAbandoned() {
        return idle == MAX_IDLE;
    }

    /** {@return whether the trial is complete} */
    boolean isOver() {
        return samples == ROUNDS * SAMPLES_PER_ROUND;
    }

    /**
     * {@return whether the growth pays} It counts as paying if nothing at all is done: all threads then wait for
     * something other than processors.
     */
    boolean pays() {
        return without == 0 && with == 0 || with >= CLEARLY_MORE * without && minWith > maxWithout;
    }

    /** {@return the throughput without it, in octets per second} */
    double rate() {
        return without / (ROUNDS / 2 * COUNTED);
    }
}

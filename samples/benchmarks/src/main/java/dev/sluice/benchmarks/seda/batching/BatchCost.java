package dev.sluice.benchmarks.seda.batching;

/**
 * The cost of a batch: a fixed part, which rises and falls like a sine, and a part for each of its events.
 *
 * @param period of the sine, in nanoseconds
 */
record BatchCost(long period) {

    private static final double MEAN = 50_000;
    private static final double AMPLITUDE = 40_000;
    private static final long EVENT = 5_000;

    /**
     * {@return the nanoseconds that a batch takes}
     *
     * @param events how many are in it
     * @param time   since the beginning, in nanoseconds
     */
    long of(int events, long time) {
        return Math.round(MEAN + AMPLITUDE * Math.sin(2 * Math.PI * (time % period) / period)) + EVENT * events;
    }
}

package dev.sluice.samples.adaptation;

/**
 * A state of a pool of threads that adapts. Immutable; the next state depends on this one and on how many are busy, and
 * on nothing else.
 *
 * @param configured how many threads it began with; it never has fewer
 * @param threads    how many it is to have
 * @param pressure   since when it has been too small, or too large
 */
public record PoolAdaptation(int configured, int threads, Row pressure) {

    /**
     * Begins.
     *
     * @param configured how many threads there are at first
     * @return the first state
     */
    public static PoolAdaptation begin(int configured) {
        return new PoolAdaptation(configured, configured, Row.NONE);
    }

    /**
     * Looks at a sample.
     *
     * @param busy how many threads have something to do at this moment, and how much waits for one
     * @return the next state, with another number of threads if one has been asked for often enough
     */
    public PoolAdaptation next(int busy) {
        Row row = pressure.next(direction(busy));
        return new PoolAdaptation(configured, row.changed(threads, configured), row.rest());
    }

    private int direction(int busy) {
        if (busy >= threads) {
            return threads < Adaptation.MOST_TIMES * configured ? 1 : 0;
        }
        return 4 * busy < threads && threads > configured ? -1 : 0;
    }

    /**
     * {@return the state after the system has refused what is asked for: with as many threads as there are}
     *
     * @param there how many there are
     */
    public PoolAdaptation refused(int there) {
        return new PoolAdaptation(configured, there, Row.NONE);
    }
}

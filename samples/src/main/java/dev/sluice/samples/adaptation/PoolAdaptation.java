package dev.sluice.samples.adaptation;

/**
 * A state of a pool of threads that adapts. Immutable; the next state depends on this one, on how many are busy and on
 * what has been done, and on nothing else.
 *
 * @param configured how many threads it began with; it never has fewer
 * @param held       whether each thread waits for the client it serves: then others are served only by more threads,
 *                   and nobody knows how much that is worth before they come
 * @param threads    how many it is to have
 * @param pressure   since when it has been too small, or too large
 * @param growth     has to show that it pays; null if there is none
 * @param pause      how many looks there are, after a growth that has not paid, before the next one
 * @param left       how many of them are left
 */
public record PoolAdaptation(int configured, boolean held, int threads, Row pressure, Growth growth, int pause,
                             int left) {

    private static final int SHORTEST_PAUSE = 10;
    private static final int LONGEST_PAUSE = 1280;

    /**
     * Begins.
     *
     * @param configured how many threads there are at first
     * @param held       whether each waits for the client it serves
     * @return the first state
     */
    public static PoolAdaptation begin(int configured, boolean held) {
        return new PoolAdaptation(configured, held, configured, Row.NONE, null, SHORTEST_PAUSE, 0);
    }

    /**
     * Looks at a sample.
     *
     * @param busy   how many threads have something to do at this moment, and how much waits for one
     * @param sample of the time since the last look
     * @return the next state, perhaps with another number of threads: more if that has been asked for often enough, as
     *         before if it has brought nothing, and fewer if they have had nothing to do for long enough
     */
    public PoolAdaptation next(int busy, LoadSample sample) {
        if (growth != null) {
            return grow(growth.next(Window.of(sample).rate()));
        }
        Row row = pressure.next(direction(busy));
        if (row.isDue() && row.length() > 0 && !held) {
            return with(threads, Growth.of(threads));
        }
        return new PoolAdaptation(configured, held, row.changed(threads, configured), row.rest(), null, pause,
                Math.max(0, left - 1));
    }

    /** {@return whether there are perhaps more threads at this moment only to see what they bring} */
    public boolean isOnTrial() {
        return growth != null;
    }

    private int direction(int busy) {
        if (busy >= threads) {
            return threads < Adaptation.MOST_TIMES * configured && left == 0 ? 1 : 0;
        }
        return 4 * busy < threads && threads > configured ? -1 : 0;
    }

    private PoolAdaptation grow(Growth next) {
        if (!next.isOver()) {
            int more = Math.min(2 * next.threads(), Adaptation.MOST_TIMES * configured);
            return with(next.isInForce() ? more : threads, next);
        }
        return next.pays()
                ? new PoolAdaptation(configured, held, threads, Row.NONE, null, SHORTEST_PAUSE, 0)
                : new PoolAdaptation(configured, held, next.threads(), Row.NONE, null,
                        Math.min(2 * pause, LONGEST_PAUSE), pause);
    }

    private PoolAdaptation with(int count, Growth next) {
        return new PoolAdaptation(configured, held, count, Row.NONE, next, pause, left);
    }

    /**
     * {@return the state after the system has refused what is asked for: with as many threads as there are}
     *
     * @param there how many there are
     */
    public PoolAdaptation refused(int there) {
        return new PoolAdaptation(configured, held, there, Row.NONE, null, pause, left);
    }
}

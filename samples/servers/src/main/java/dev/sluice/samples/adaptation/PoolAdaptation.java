package dev.sluice.samples.adaptation;

/**
 * A state of an adaptive pool of threads. Immutable; the next state depends only on this one, on the number of busy
 * threads and on the work done.
 *
 * @param configured the initial number of threads; it never has fewer
 * @param held       whether each thread waits for the client it serves: then others are served only by more threads,
 *                   and what that is worth shows only when those clients come
 * @param threads    the target number of threads
 * @param pressure   since when it has been too small, or too large
 * @param growth     has to show that it pays; null if there is none
 * @param pause      the number of looks, after a growth that has not paid, before the next one
 * @param left       how many of them are left
 * @param baseline   what was done without the growth that has not paid
 */
public record PoolAdaptation(int configured, boolean held, int threads, Row pressure, Growth growth, int pause,
                             int left, Baseline baseline) {

    private static final int SHORTEST_PAUSE = 10;
    private static final int LONGEST_PAUSE = 1280;
    /** Number of samples for which another load has to last before earlier results no longer count. */
    private static final int LASTING = 5;

    /**
     * Begins.
     *
     * @param configured how many threads there are at first
     * @param held       whether each waits for the client it serves
     * @return the first state
     */
    public static PoolAdaptation begin(int configured, boolean held) {
        return new PoolAdaptation(configured, held, configured, Row.NONE, null, SHORTEST_PAUSE, 0,
                Baseline.NONE);
    }

    /**
     * Processes a sample.
     *
     * @param busy   how many threads have something to do at this moment, and how much waits for one
     * @param sample of the time since the last look
     * @param free   whether a growth that has to show that it pays may begin: one that is due waits until then
     * @return the next state, perhaps with another number of threads: more if that has been asked for often enough, as
     *         before if it has brought nothing, and fewer if they have had nothing to do for long enough
     */
    PoolAdaptation next(int busy, LoadSample sample, boolean free) {
        double rate = Window.of(sample).rate();
        if (growth != null) {
            return grow(growth.next(busy, rate));
        }
        Baseline base = baseline.next(rate);
        if (base.isOutdated(LASTING)) {
            return with(Row.NONE, null, SHORTEST_PAUSE, 0, Baseline.NONE);
        }
        Row row = pressure.next(direction(busy));
        int rest = Math.max(0, left - 1);
        if (row.isDue() && row.length() > 0 && !held) {
            return free ? with(Row.NONE, Growth.of(threads), pause, rest, base)
                    : with(pressure, null, pause, rest, base);
        }
        return having(row.changed(threads, configured)).with(row.rest(), null, pause, rest, base);
    }

    /** {@return whether additional threads are on trial} */
    public boolean isOnTrial() {
        return growth != null;
    }

    /**
     * {@return whether a trial of more threads has ended without a result, because there was too little work for the
     * threads that there were before it}
     *
     * @param old the state before this one
     */
    public boolean hasBrokenOff(PoolAdaptation old) {
        // A growth that pays is kept, and one that does not sets another baseline.
        return old.isOnTrial() && !isOnTrial() && settled() == old.settled() && baseline.equals(old.baseline);
    }

    /** {@return the number of threads without those on trial} */
    public int settled() {
        return growth == null ? threads : growth.threads();
    }

    private int direction(int busy) {
        if (busy >= threads) {
            return threads < Adaptation.MAX_TIMES * configured && left == 0 ? 1 : 0;
        }
        return 4 * busy < threads && threads > configured ? -1 : 0;
    }

    private PoolAdaptation grow(Growth next) {
        int more = Math.min(2 * next.threads(), Adaptation.MAX_TIMES * configured);
        if (next.isAbandoned()) {
            return having(next.threads()).with(Row.NONE, null, pause, pause, baseline);
        }
        if (!next.isOver()) {
            return having(next.isInForce() ? more : next.threads()).with(Row.NONE, next, pause, left, baseline);
        }
        // A growth that pays does not shorten the pause: it may have been chance, which is likely after many trials.
        return next.pays() ? having(more).with(Row.NONE, null, pause, 0, Baseline.NONE)
                : having(next.threads()).with(Row.NONE, null, Math.min(2 * pause, LONGEST_PAUSE), pause,
                        Baseline.of(next.rate()));
    }

    private PoolAdaptation having(int count) {
        return new PoolAdaptation(configured, held, count, pressure, growth, pause, left, baseline);
    }

    private PoolAdaptation with(Row row, Growth next, int longer, int looks, Baseline base) {
        return new PoolAdaptation(configured, held, threads, row, next, longer, looks, base);
    }

    /**
     * {@return the state after the system has refused threads: with the existing number}
     *
     * @param there how many there are
     */
    PoolAdaptation refused(int there) {
        return having(there).with(Row.NONE, null, pause, left, baseline);
    }
}

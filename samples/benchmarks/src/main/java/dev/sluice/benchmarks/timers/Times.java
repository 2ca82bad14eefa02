package dev.sluice.benchmarks.timers;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Times in nanoseconds from now, drawn at random before anything is measured, and the same for all. */
final class Times {

    private static final long SEED = 20_040_207;
    private static final int DRAWN = 4096;
    /** None of those that are pending comes near. */
    private static final long FAR = TimeUnit.DAYS.toNanos(1);

    private final Random random = new Random(SEED);
    private final long[] drawn = new long[DRAWN];
    private int next;

    /**
     * Draws them.
     *
     * @param minimum the shortest
     * @param range how much longer the longest may be
     */
    private Times(long minimum, long range) {
        for (int i = 0; i < DRAWN; i++) {
            drawn[i] = minimum + (long) (random.nextDouble() * range);
        }
    }

    /** {@return times of one to two days} */
    static Times far() {
        return new Times(FAR, FAR);
    }

    /**
     * {@return times from zero on}
     *
     * @param range the longest
     */
    static Times upTo(long range) {
        return new Times(0, range);
    }

    /** {@return the next one, from the first again after the last} */
    long next() {
        long time = drawn[next];
        next = next + 1 & DRAWN - 1;
        return time;
    }
}

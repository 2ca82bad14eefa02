package dev.sluice.benchmarks.seda.little;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The events of an open loop: they are due at equal intervals, whether or not earlier ones have been handled.
 *
 * @param perSecond the number per second
 */
record Arrivals(int perSecond) {

    /** The percentage of events that block. */
    static final int BLOCKING_PERCENT = 15;
    /** The time for which they block. */
    static final int BLOCKED_MILLIS = 20;

    private static final int HUNDRED = 100;
    private static final long SEED = 0x5EDA;
    private static final List<Boolean> BLOCKING = shuffled();

    private static List<Boolean> shuffled() {
        List<Boolean> order = new ArrayList<>(Collections.nCopies(BLOCKING_PERCENT, true));
        order.addAll(Collections.nCopies(HUNDRED - BLOCKING_PERCENT, false));
        Collections.shuffle(order, new Random(SEED));
        return List.copyOf(order);
    }

    /**
     * {@return an event}
     *
     * @param number from 0 on
     * @param start  when that of number 0 is due, by {@link System#nanoTime()}
     */
    Arrival arrival(int number, long start) {
        return new Arrival(start + number * TimeUnit.SECONDS.toNanos(1) / perSecond, BLOCKING.get(number % HUNDRED));
    }

    /** {@return how many threads that takes, by Little's law: arrivals per second, times their mean time} */
    double threads() {
        return perSecond * (BLOCKING_PERCENT / (double) HUNDRED) * BLOCKED_MILLIS / TimeUnit.SECONDS.toMillis(1);
    }
}

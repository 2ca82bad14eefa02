package dev.sluice.leaderfollowers;

import java.util.Comparator;

/**
 * Which follower becomes the next leader (Leader/Followers paper, implementation activity 5.2).
 *
 * <p>{@link #LIFO}, {@link #FIFO} and {@link #PRIORITY} are kept exactly, which has its price: the leadership is handed
 * to a thread that sleeps, so the one that promotes it cannot lead again however soon it is back, and goes to sleep
 * itself. That is at least one context switch for each event, whichever of the three it is. With {@link
 * #IMPLEMENTATION_DEFINED} the leadership stays free, and a thread that is back before the other one is awake
 * becomes leader again. On Linux with two CPUs and 16 or 256 busy connections that was less than a tenth of a switch
 * for each event where hooks took no time, and twice as many events as in LIFO order; with hooks of 20 µs a tenth to a
 * third of a switch and nearly half as many events again. With hooks of 200 µs, or events that come one at a time, the
 * orders differ little. {@code ./sluice compare} measures it on other machines.
 */
public enum PromotionOrder {

    /** The one that has waited for the shortest time, whose caches are warm. */
    LIFO(Comparator.comparingLong(follower -> -follower.arrival)),

    /** The one that has waited for the longest time. */
    FIFO(Comparator.comparingLong(follower -> follower.arrival)),

    /**
     * The one with the highest {@link Thread#getPriority()} at the time it began to wait; among equals, the one that
     * has waited for the longest time. Whether the system schedules the threads by this priority as well is up to them:
     * {@link SystemPriority}.
     */
    PRIORITY(Comparator.comparingInt((PoolThread follower) -> -follower.priority)
            .thenComparingLong(follower -> follower.arrival)),

    /**
     * Whichever thread is there first: the one that has been woken, or one that returns from a hook before that. The
     * right one where it does not matter which thread leads, and so the default of pools.
     */
    IMPLEMENTATION_DEFINED(Comparator.comparingLong(follower -> follower.arrival));

    private final Comparator<PoolThread> comparator;

    PromotionOrder(Comparator<PoolThread> comparator) {
        this.comparator = comparator;
    }

    /** {@return puts the thread first that is promoted next} */
    Comparator<PoolThread> comparator() {
        return comparator;
    }
}

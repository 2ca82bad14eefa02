package dev.sluice.leaderfollowers;

import java.util.Comparator;

/**
 * Which follower becomes the next leader (Leader/Followers paper, implementation activity 5.2).
 *
 * <p>{@link #LIFO}, {@link #FIFO} and {@link #PRIORITY} are kept exactly, at a price: the leadership is handed to a
 * sleeping thread, so the thread that promotes it cannot lead again even if it returns first, and goes to sleep itself.
 * That costs at least one context switch for each event. With {@link #IMPLEMENTATION_DEFINED} the leadership stays
 * free, and a thread that returns before the other one is awake becomes leader again. On Linux with two CPUs and 16 or
 * 256 busy connections this took less than a tenth of a switch for each event where hooks took no time, at twice the
 * throughput of LIFO order; with hooks of 20 µs a tenth to a third of a switch, at nearly one and a half times the
 * throughput. With hooks of 200 µs, or events that arrive one at a time, the orders differ little. {@code ./sluice
 * compare} measures it on other machines.
 */
public enum PromotionOrder {

    /** The follower that has waited for the shortest time; its caches are warm. */
    LIFO(Comparator.comparingLong(follower -> -follower.arrival)),

    /** The follower that has waited for the longest time. */
    FIFO(Comparator.comparingLong(follower -> follower.arrival)),

    /**
     * The follower with the highest {@link Thread#getPriority()} when it began to wait; among equals, the one that has
     * waited for the longest time. The operating system schedules the threads by this priority only if they adopt it,
     * see {@link SystemPriority}.
     */
    PRIORITY(Comparator.comparingInt((PoolThread follower) -> -follower.priority)
            .thenComparingLong(follower -> follower.arrival)),

    /**
     * The first thread to arrive: the one that has been woken, or one that returns from a hook before it is awake.
     * Suitable if it does not matter which thread leads; the default of pools.
     */
    IMPLEMENTATION_DEFINED(Comparator.comparingLong(follower -> follower.arrival));

    private final Comparator<PoolThread> comparator;

    PromotionOrder(Comparator<PoolThread> comparator) {
        this.comparator = comparator;
    }

    /** {@return a comparator that orders the thread to be promoted next first} */
    Comparator<PoolThread> comparator() {
        return comparator;
    }
}

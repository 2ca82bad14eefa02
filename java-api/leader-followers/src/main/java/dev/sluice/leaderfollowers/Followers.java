package dev.sluice.leaderfollowers;

import java.util.PriorityQueue;
import java.util.Queue;

/**
 * The threads that wait to be promoted, each parked by itself, so that the leader wakes exactly the one that it
 * promotes. Guarded by the lock of {@link Roles}.
 */
final class Followers {

    private final Queue<PoolThread> waiting;
    private final boolean handsOver;
    private final int leaderships;
    /** Number of followers that have been chosen and have not checked for a vacancy yet. */
    private int chosen;
    private long arrivals;

    Followers(PromotionOrder order, int leaderships) {
        this.leaderships = leaderships;
        waiting = new PriorityQueue<>(order.comparator());
        handsOver = order != PromotionOrder.IMPLEMENTATION_DEFINED;
    }

    /** Adds a thread that is about to wait. One that has not been promoted keeps its place. */
    void add(PoolThread follower) {
        follower.woken = false;
        if (!follower.queued) {
            remove(follower);
            follower.role = ThreadRole.FOLLOWER;
            follower.priority = follower.thread.getPriority();
            follower.arrival = arrivals++;
            waiting.add(follower);
            follower.queued = true;
        }
    }

    /** Removes a follower that will no longer wait. Does nothing if the thread is not a follower. */
    void remove(PoolThread follower) {
        if (follower.chosen) {
            follower.chosen = false;
            chosen--;
        } else if (follower.queued) {
            follower.queued = false;
            waiting.remove(follower);
        }
    }

    /**
     * Hands a vacant leadership to a follower. With {@link PromotionOrder#IMPLEMENTATION_DEFINED} it only wakes a
     * follower, which takes the leadership unless a thread that rejoins is faster, as in the paper's LF_Thread_Pool.
     *
     * @return false if there is no follower
     */
    boolean promote(Leadership vacant) {
        if (chosen >= leaderships) {
            // Enough followers are about to check: one for each possible vacancy.
            return true;
        }
        PoolThread next = waiting.poll();
        if (next == null) {
            return false;
        }
        next.queued = false;
        if (handsOver) {
            vacant.giveTo(next);
        } else {
            next.chosen = true;
            chosen++;
        }
        next.wake();
        return true;
    }
}

package dev.sluice.leaderfollowers;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/** Which follower becomes the next leader (Leader/Followers paper, implementation activity 5.2). */
public enum PromotionOrder {

    /** The one that has waited for the shortest time, whose caches are warm. */
    LIFO {
        @Override
        Followers newFollowers(ReentrantLock lock) {
            Deque<PoolThread> stack = new ArrayDeque<>();
            return new OrderedFollowers(lock, stack, stack::addFirst);
        }
    },

    /** The one that has waited for the longest time. */
    FIFO {
        @Override
        Followers newFollowers(ReentrantLock lock) {
            Queue<PoolThread> queue = new ArrayDeque<>();
            return new OrderedFollowers(lock, queue, queue::add);
        }
    },

    /**
     * The one with the highest {@link Thread#getPriority()} at the time it began to wait; among equals, the one that
     * has waited for the longest time. Whether the system schedules the threads by this priority as well is up to them:
     * {@link SystemPriority}.
     */
    PRIORITY {
        @Override
        Followers newFollowers(ReentrantLock lock) {
            Queue<PoolThread> heap = new PriorityQueue<>(Comparator
                    .comparingInt((PoolThread follower) -> -follower.priority)
                    .thenComparingLong(follower -> follower.arrival));
            return new OrderedFollowers(lock, heap, heap::add);
        }
    },

    /** Whichever one the condition variable that all of them wait on lets through. */
    IMPLEMENTATION_DEFINED {
        @Override
        Followers newFollowers(ReentrantLock lock) {
            return new UnorderedFollowers(lock);
        }
    };

    abstract Followers newFollowers(ReentrantLock lock);
}

package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Deadline;
import java.util.Queue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Each follower has a parking place of its own, so that the leader wakes exactly the one that it promotes. A Condition
 * would do as well, but allocates for each wait.
 */
final class OrderedFollowers implements Followers {

    private final Lock lock;
    private final Queue<PoolThread> waiting;
    private final Consumer<PoolThread> insertion;

    OrderedFollowers(Lock lock, Queue<PoolThread> waiting, Consumer<PoolThread> insertion) {
        this.lock = lock;
        this.waiting = waiting;
        this.insertion = insertion;
    }

    @Override
    public void add(PoolThread follower) {
        insertion.accept(follower);
    }

    @Override
    public void remove(PoolThread follower) {
        waiting.remove(follower);
    }

    @Override
    public boolean await(PoolThread self, Deadline deadline) {
        self.woken = false;
        lock.unlock();
        try {
            while (!self.woken && !deadline.isOver()) {
                if (deadline.never()) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, deadline.left());
                }
                // While the interrupt status is set, the thread cannot park.
                if (Thread.interrupted()) {
                    return false;
                }
            }
            return true;
        } finally {
            lock.lock();
        }
    }

    @Override
    public boolean promote(Leadership vacant) {
        PoolThread next = waiting.poll();
        if (next == null) {
            return false;
        }
        vacant.giveTo(next);
        wake(next);
        return true;
    }

    @Override
    public void wake(PoolThread follower) {
        follower.woken = true;
        LockSupport.unpark(follower.thread);
    }
}

package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Deadline;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All followers wait on one condition, as in the paper's LF_Thread_Pool. The notified thread finds the vacant
 * leadership itself, unless a thread that rejoins meanwhile is faster.
 */
final class UnorderedFollowers implements Followers {

    private final ReentrantLock lock;
    private final Condition promoted;

    UnorderedFollowers(ReentrantLock lock) {
        this.lock = lock;
        promoted = lock.newCondition();
    }

    @Override
    public void add(PoolThread follower) {
    }

    @Override
    public void remove(PoolThread follower) {
    }

    @Override
    public boolean await(PoolThread self, Deadline deadline) {
        try {
            if (deadline.never()) {
                promoted.await();
            } else {
                promoted.awaitNanos(deadline.left());
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Override
    public boolean promote(Leadership vacant) {
        boolean waits = lock.hasWaiters(promoted);
        promoted.signal();
        return waits;
    }

    @Override
    public void wake(PoolThread follower) {
        promoted.signalAll();
    }
}

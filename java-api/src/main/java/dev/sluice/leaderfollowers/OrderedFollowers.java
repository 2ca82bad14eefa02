package dev.sluice.leaderfollowers;

import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

/** Each follower waits on a condition of its own, so that the leader notifies exactly the one that it promotes. */
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
    public Condition newCondition() {
        return lock.newCondition();
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
    public void promote(Leadership vacant) {
        PoolThread next = waiting.poll();
        if (next != null) {
            vacant.giveTo(next);
            wake(next);
        }
    }

    @Override
    public void wake(PoolThread follower) {
        follower.condition.signal();
    }
}

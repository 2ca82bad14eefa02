package dev.sluice.samples.oltp.pool;

import dev.sluice.handle.Handle;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.ThreadRole;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits how many connections a thread serves at once. A thread whose service waits in its pool may have to dispatch
 * another connection meanwhile, and wait for that one's sake too; each such level delays those below it, and takes room
 * on the stack. So a connection is left to the thread with the fewest levels, and waits itself if all have too many.
 *
 * <p>A thread's priority falls with its levels, for {@link dev.sluice.leaderfollowers.PromotionOrder#PRIORITY}.
 */
final class Nesting {

    /** As many as there are priorities below the normal one. */
    private static final int DEEPEST = Thread.NORM_PRIORITY - Thread.MIN_PRIORITY;

    private final LeaderFollowersPool pool;
    private final int most;
    private final AtomicInteger served = new AtomicInteger();
    private final Queue<Handle> postponed = new ConcurrentLinkedQueue<>();

    Nesting(LeaderFollowersPool pool, int threads) {
        this.pool = pool;
        this.most = threads * DEEPEST;
    }

    /**
     * Begins to serve a connection, or leaves it to another thread or for later. Called in its hook, when a new leader
     * has been promoted.
     *
     * @return whether it is to be served now, and {@link #end} to be called
     */
    boolean begin(Handle handle) {
        int priority = Thread.currentThread().getPriority();
        if (priority < Thread.NORM_PRIORITY) {
            if (leaderHasFewerLevels(priority)) {
                return false;
            }
            if (priority == Thread.MIN_PRIORITY) {
                if (served.get() >= most) {
                    postpone(handle);
                }
                return false;
            }
        }
        served.incrementAndGet();
        Thread.currentThread().setPriority(priority - 1);
        return true;
    }

    private boolean leaderHasFewerLevels(int priority) {
        for (Thread leader : pool.threads(ThreadRole.LEADER)) {
            if (leader.getPriority() > priority) {
                return true;
            }
        }
        return false;
    }

    private void postpone(Handle handle) {
        pool.deactivateHandle(handle);
        postponed.add(handle);
        // Whoever ends after this has gone by it, looks into the queue.
        if (served.get() < most) {
            resume();
        }
    }

    private void resume() {
        Handle next = postponed.poll();
        if (next != null) {
            pool.reactivateHandle(next);
        }
    }

    /** {@return how many connections wait for a thread} */
    int postponed() {
        return postponed.size();
    }

    void end() {
        Thread.currentThread().setPriority(Thread.currentThread().getPriority() + 1);
        served.decrementAndGet();
        resume();
    }
}

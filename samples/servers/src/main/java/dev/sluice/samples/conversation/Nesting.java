package dev.sluice.samples.conversation;

import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.ThreadRole;
import dev.sluice.reactor.Registration;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Limits the number of connections that a thread serves at the same time, and the time in which it accepts more. A
 * thread whose service waits in its pool may have to dispatch another connection in the meantime, and wait for that one
 * as well; each such level delays the levels below it, and uses stack. So a connection is served by the thread with the
 * fewest levels, and is postponed if none can serve it.
 *
 * <p>A thread accepts no more once the outermost of its connections has waited for the maximum wait of a service: so no
 * connection is delayed by more than that and the quantum of another one, at any depth.
 *
 * <p>A thread's priority falls with its levels, for {@link dev.sluice.leaderfollowers.PromotionOrder#PRIORITY}.
 */
final class Nesting implements Admission {

    /** Maximum depth: the number of priorities below the normal one. */
    private static final int DEEPEST = Thread.NORM_PRIORITY - Thread.MIN_PRIORITY;

    /** The connections that a thread serves. Written by that thread. */
    private static final class Burden {
        private volatile int levels;
        /** Since when the outermost connection waits. */
        private volatile long since;
    }

    private final LeaderFollowersPool pool;
    private final int threads;
    private final long longestWait;
    private final Map<Thread, Burden> burdens = new ConcurrentHashMap<>();
    private final Deque<Registration> postponed = new ConcurrentLinkedDeque<>();

    /** Creates a limit for the given number of threads, whose services wait in the pool for at most the given time. */
    Nesting(LeaderFollowersPool pool, int threads, Duration longestWait) {
        this.pool = pool;
        this.threads = threads;
        this.longestWait = longestWait.toNanos();
    }

    @Override
    public boolean begin(Registration connection, boolean left, long since) {
        if (!left && !postponed.isEmpty()) {
            postpone(connection, false);
            return false;
        }
        Burden own = burdens.computeIfAbsent(Thread.currentThread(), thread -> new Burden());
        if (own.levels > 0) {
            if (leaderHasLess(own)) {
                return false;
            }
            if (!canTakeMore(own)) {
                if (nobodyCanTakeMore()) {
                    postpone(connection, left);
                }
                return false;
            }
        } else {
            own.since = since;
        }
        setLevels(own, own.levels + 1);
        resume();
        return true;
    }

    private boolean leaderHasLess(Burden own) {
        for (Thread leader : pool.threads(ThreadRole.LEADER)) {
            Burden burden = burdens.get(leader);
            if (burden == null || burden.levels < own.levels && canTakeMore(burden)) {
                return true;
            }
        }
        return false;
    }

    private boolean canTakeMore(Burden burden) {
        int levels = burden.levels;
        return levels == 0 || levels < DEEPEST && System.nanoTime() - burden.since < longestWait;
    }

    private boolean nobodyCanTakeMore() {
        return burdens.size() == threads && burdens.values().stream().noneMatch(this::canTakeMore);
    }

    /** Postpones a connection. Those that have been postponed before stay in front. */
    private void postpone(Registration connection, boolean left) {
        connection.pause();
        if (left) {
            postponed.addFirst(connection);
        } else {
            postponed.addLast(connection);
        }
        // A thread that ends after this was queued checks the queue itself.
        resume();
    }

    @Override
    public void resume() {
        if (postponed.isEmpty() || nobodyCanTakeMore()) {
            return;
        }
        Registration next = postponed.poll();
        if (next != null) {
            next.resume();
        }
    }

    @Override
    public int postponed() {
        return postponed.size();
    }

    @Override
    public void end() {
        Burden own = burdens.get(Thread.currentThread());
        setLevels(own, own.levels - 1);
        resume();
    }

    private static void setLevels(Burden own, int levels) {
        own.levels = levels;
        Thread.currentThread().setPriority(Thread.NORM_PRIORITY - levels);
    }
}

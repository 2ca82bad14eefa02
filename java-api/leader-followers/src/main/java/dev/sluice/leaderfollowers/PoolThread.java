package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Deadline;
import dev.sluice.deadline.Timeout;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The state of a thread that has joined a pool. Reused for as long as the thread lives. */
final class PoolThread {

    final Thread thread = Thread.currentThread();
    volatile ThreadRole role = ThreadRole.PROCESSING;
    /** Asked to leave the pool. */
    volatile boolean leaving;
    /** Whether it has been woken to check for work. Set under the lock of Roles. */
    volatile boolean woken;

    // Guarded by the lock of Roles.

    @Nullable Leadership leads;
    int priority;
    long arrival;
    /** Whether it is in the queue of followers. */
    boolean queued;
    /** Whether it has been chosen to check for a vacant leadership, and has not done so yet. */
    boolean chosen;
    /** Number of joins on its stack; a hook may join again. */
    int depth;

    // Used only by the thread itself.

    /** The longest time that it may wait for the next event, in nanoseconds; negative means forever. */
    long maxWait = Timeout.FOREVER;
    /** Number of consecutive waits that have found no event. */
    int emptyWaits;
    /** The event it is dispatching. */
    @Nullable PendingEvent processing;
    /**
     * Whether its waits are nested too deeply to dispatch events that are not bound. Changed by the thread itself,
     * while it is not a follower; for a leader, other threads may read the previous value.
     */
    boolean boundOnly;

    /**
     * Parks the calling thread, a follower, until it is woken or its deadline has passed. May return spuriously.
     *
     * @return false if it was interrupted
     */
    boolean park(Deadline deadline) {
        while (!woken && !deadline.isOver()) {
            if (deadline.never()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, deadline.remaining());
            }
            // While the interrupt status is set, the thread cannot park.
            if (Thread.interrupted()) {
                return false;
            }
        }
        return true;
    }

    /** Makes a follower check whether it has work. Called under the lock of Roles. */
    void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }
}

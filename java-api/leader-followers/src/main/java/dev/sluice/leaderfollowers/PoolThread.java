package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Timeout;

/** A thread that has joined a pool, and its place among the others. Reused for as long as the thread lives. */
final class PoolThread {

    final Thread thread = Thread.currentThread();
    volatile ThreadRole role = ThreadRole.PROCESSING;
    /** Asked to leave the pool. */
    volatile boolean leaving;
    /** Whether it has something to look at. Set under the lock of Roles. */
    volatile boolean woken;

    // Guarded by the lock of Roles.

    Leadership leads;
    int priority;
    long arrival;
    /** How many joins are on its stack, since a hook may join again. */
    int depth;

    // Used only by the thread itself.

    /** The longest that it may wait for the next event, in nanoseconds; negative means forever. */
    long turn = Timeout.FOREVER;
    /** How many of its turns have brought nothing since the last event. */
    int emptyTurns;
    /** The event it is dispatching. */
    PendingEvent processing;
    /**
     * Whether its waits are nested too deeply to dispatch events that are not bound. Changed by the thread itself,
     * while it is not a follower.
     */
    boolean boundOnly;
}

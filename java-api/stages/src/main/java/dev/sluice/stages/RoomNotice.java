package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Somebody who was refused and wants to be told when there is room again, see {@link EventQueue#tellWhenHalfEmpty}. It
 * is in at most one queue at a time, once, so that a queue never holds more of them than there are, and asking
 * allocates nothing. Whoever waits for two queues needs two.
 */
public abstract class RoomNotice {

    /** Who will tell it; null if nobody. */
    private final AtomicReference<RoomNotices> pending = new AtomicReference<>();
    /** The next one that the queue will tell. Written by who adds this, before it can be seen. */
    RoomNotice next;

    /** For subclasses. */
    protected RoomNotice() {
    }

    /**
     * There is room again, or the queue is closed: the next attempt will tell. Called by a thread that takes events, or
     * by one that asks; must not block. May ask again, but not for more room than half of the threshold, for which it
     * would be called again at once. What it throws is logged.
     */
    protected abstract void roomAgain();

    /** {@return whether it was not in a queue} From now on it is. */
    final boolean begin(RoomNotices notices) {
        return pending.compareAndSet(null, notices);
    }

    /** {@return whether it is among these} */
    final boolean isAmong(RoomNotices notices) {
        return pending.get() == notices;
    }

    /** From now on it may be put into a queue again. */
    final void end() {
        next = null;
        pending.set(null);
    }
}

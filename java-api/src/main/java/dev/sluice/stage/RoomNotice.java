package dev.sluice.stage;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Somebody who was refused and wants to be told when there is room again, see {@link EventQueue#tellWhenHalfEmpty}. It
 * is in at most one queue at a time, once, so that a queue never holds more of them than there are, and asking
 * allocates nothing.
 */
public abstract class RoomNotice {

    private final AtomicBoolean pending = new AtomicBoolean();
    /** The next one that the queue will tell. Written by who adds this, before it can be seen. */
    private RoomNotice next;

    /** For subclasses. */
    protected RoomNotice() {
    }

    /**
     * There is room again, or the queue is closed: the next attempt will tell. Called by a thread that takes events, or
     * by one that asks; must not block. May ask again. What it throws is logged.
     */
    protected abstract void roomAgain();

    /** {@return whether it was not in a queue} From now on it is. */
    final boolean begin() {
        return pending.compareAndSet(false, true);
    }

    /** From now on it may be put into a queue again. */
    final void end() {
        next = null;
        pending.set(false);
    }

    final RoomNotice next() {
        return next;
    }

    final void setNext(RoomNotice following) {
        next = following;
    }
}

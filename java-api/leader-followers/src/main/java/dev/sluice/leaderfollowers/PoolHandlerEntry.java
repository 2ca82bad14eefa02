package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.dispatch.HandlerEntry;
import dev.sluice.dispatch.HandlerTable;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import org.jspecify.annotations.Nullable;

/**
 * The entry of a handle in a pool. If one thread at a time may dispatch the handle's events, the entry is its own
 * event; if several may, each of them has a {@link ConcurrentDispatch}.
 */
final class PoolHandlerEntry extends HandlerEntry implements PendingEvent {

    private final Promotion promotion;
    private final boolean concurrent;
    /** The events that the handle is ready for. Used by the dispatching thread, if there can be only one. */
    private int ready;
    /** Free list: there are as many as threads have been dispatching concurrently. Guarded by the lock. */
    private @Nullable ConcurrentDispatch unused;

    PoolHandlerEntry(HandlerTable table, Handle handle, EventHandler handler, Interest interest, Promotion promotion) {
        super(table, handle, handler, interest);
        this.promotion = promotion;
        this.concurrent = handler.isConcurrent();
    }

    @Override
    protected boolean isConcurrent() {
        return concurrent;
    }

    @Override
    protected void requireMayTakeOver(EventHandler next) {
        if (next.isConcurrent() != concurrent) {
            throw new IllegalArgumentException(handler() + " cannot hand over its handle to " + next
                    + ": only one of them says that it is a concurrent handle");
        }
    }

    @Override
    public Promotion promotion() {
        return promotion;
    }

    @Override
    public boolean isBound() {
        return handler() instanceof BoundEventHandler;
    }

    /**
     * Makes the caller one of the threads that dispatch events of this entry.
     *
     * @param reported the events that it is ready for
     * @return the event to dispatch; null if there is none, and then the handle will be reported again if necessary
     */
    @Nullable PendingEvent claim(int reported) {
        // A one-shot registration must be rearmed even if none of the events it reported is wanted any more.
        if (reported == 0 && trigger() != Trigger.ONE_SHOT) {
            return null;
        }
        if (concurrent) {
            return claimConcurrently(reported);
        }
        if (!claim()) {
            return null;
        }
        ready = reported;
        return this;
    }

    private @Nullable PendingEvent claimConcurrently(int reported) {
        lock();
        try {
            // Before anything is changed, because the allocation may throw an OutOfMemoryError.
            ConcurrentDispatch dispatch = unused == null ? new ConcurrentDispatch() : unused;
            if (!claim()) {
                return null;
            }
            unused = dispatch.next;
            dispatch.begin(reported);
            return dispatch;
        } finally {
            unlock();
        }
    }

    private void end(ConcurrentDispatch dispatch) {
        boolean rearm = !dispatch.armed;
        int resumptions = dispatch.suspends ? 1 : 0;
        lock();
        dispatch.next = unused;
        unused = dispatch;
        unlock();
        release(rearm, resumptions);
    }

    @Override
    public void deactivate() {
        // A one-shot registration reports nothing while a thread dispatches its event.
        if (trigger() != Trigger.ONE_SHOT && !isSuspended()) {
            suspendOrEnd();
        }
    }

    private void suspendOrEnd() {
        try {
            suspend();
        } catch (RuntimeException | Error e) {
            end(e);
        }
    }

    @Override
    public void process() {
        try {
            callHooks(ready);
        } finally {
            release();
        }
    }

    /** An event that is being dispatched. Used by the dispatching thread. */
    private final class ConcurrentDispatch implements PendingEvent {

        private int ready;
        /** Whether the handle has been rearmed since this event was detected. */
        private boolean armed;
        /** Whether this event suspends the handle. */
        private boolean suspends;
        /** The next one in the free list. */
        private @Nullable ConcurrentDispatch next;

        private void begin(int reported) {
            ready = reported;
            armed = false;
            suspends = false;
            next = null;
        }

        @Override
        public Promotion promotion() {
            return promotion;
        }

        @Override
        public boolean isBound() {
            return PoolHandlerEntry.this.isBound();
        }

        @Override
        public void beforePromotion() {
            if (!armed) {
                armed = true;
                // A level-triggered set never stops reporting it.
                if (trigger() != Trigger.LEVEL) {
                    reportAgain();
                }
            }
        }

        @Override
        public void deactivate() {
            if (!suspends) {
                suspends = true;
                suspend();
            }
        }

        @Override
        public void process() {
            try {
                callHooks(ready);
            } finally {
                end(this);
            }
        }
    }
}

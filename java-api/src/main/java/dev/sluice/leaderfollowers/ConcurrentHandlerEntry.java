package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.Registration;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The entry of a concurrent handle, with which any number of threads are busy (implementation activity 1.3). The handle
 * stays in the set while its hooks run.
 */
final class ConcurrentHandlerEntry extends SharedHandlerEntry {

    // Guarded by this object's lock.

    /** For reuse: there are as many as threads have been busy at once. */
    private final Deque<Dispatch> unused = new ArrayDeque<>();
    /** How many threads need the handle to be silent until they are done. */
    private int suspensions;

    ConcurrentHandlerEntry(SharedDemultiplexingTable table, Handle handle, EventHandler handler, Promotion promotion) {
        super(table, handle, handler, promotion);
    }

    @Override
    boolean isConcurrent() {
        return true;
    }

    @Override
    boolean mayBeActive() {
        return suspensions == 0;
    }

    @Override
    synchronized PendingEvent claim(int reported) {
        if (!occupy(reported)) {
            return null;
        }
        Dispatch dispatch = unused.isEmpty() ? new Dispatch() : unused.pop();
        dispatch.ready = reported;
        dispatch.armed = false;
        dispatch.suspends = false;
        return dispatch;
    }

    @Override
    void awaitPredecessor() {
        suspensions++;
    }

    @Override
    boolean predecessorHasEnded() {
        endSuspension();
        return endTurn(true);
    }

    private synchronized void endSuspension() {
        suspensions--;
    }

    private void end(Dispatch dispatch) {
        boolean rearms = !dispatch.armed;
        synchronized (this) {
            if (dispatch.suspends) {
                suspensions--;
            }
            unused.push(dispatch);
        }
        release(rearms);
    }

    /** One of the events that are being dispatched, used by the thread that does so. */
    private final class Dispatch implements PendingEvent {

        private int ready;
        /** Whether the handle has been rearmed since this event was detected. */
        private boolean armed;
        /** Whether this counts as one of the suspensions. */
        private boolean suspends;

        @Override
        public Promotion promotion() {
            return ConcurrentHandlerEntry.this.promotion();
        }

        @Override
        public boolean isBound() {
            return ConcurrentHandlerEntry.this.isBound();
        }

        @Override
        public void beforePromotion() {
            if (!armed) {
                armed = true;
                // A level-triggered set never stops reporting it.
                if (trigger() != Trigger.LEVEL) {
                    change(Registration::rearm);
                }
            }
        }

        @Override
        public void deactivate() {
            if (!suspends) {
                suspends = true;
                change(registration -> {
                    suspensions++;
                    registration.deactivate();
                });
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

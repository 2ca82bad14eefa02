package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;

/** The entry of an iterative handle, with which one thread at a time is busy: so it is its own event. */
final class IterativeHandlerEntry extends SharedHandlerEntry implements PendingEvent {

    /** What it is ready for. Used by the thread that is busy with it. */
    private int ready;

    IterativeHandlerEntry(SharedDemultiplexingTable table, Handle handle, EventHandler handler, Promotion promotion) {
        super(table, handle, handler, promotion);
    }

    @Override
    boolean isConcurrent() {
        return false;
    }

    @Override
    boolean mayBeActive() {
        // A one-shot registration is quiet while a thread is busy with it, whether it is active or not.
        return busy() == 0 || isOneShot();
    }

    private boolean isOneShot() {
        return trigger() == Trigger.ONE_SHOT;
    }

    @Override
    synchronized PendingEvent claim(int reported) {
        if (busy() > 0 || !occupy(reported)) {
            return null;
        }
        ready = reported;
        return this;
    }

    @Override
    public void deactivate() {
        if (!isOneShot()) {
            try {
                registration().deactivate();
            } catch (IOException | RuntimeException | Error e) {
                end(e);
            }
        }
    }

    @Override
    public void process() {
        try {
            callHooks(ready);
        } finally {
            release(true);
        }
    }

    @Override
    boolean predecessorHasEnded() {
        return endTurn(true);
    }
}

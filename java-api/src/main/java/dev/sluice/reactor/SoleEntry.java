package dev.sluice.reactor;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.Registration;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.handle.CloseListener;
import dev.sluice.handle.Handle;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;

/** A tuple of the {@link SoleTable}: handle, event handler and, in the registration, the event types. */
final class SoleEntry implements CloseListener {

    final Handle handle;
    EventHandler handler;
    /** What hooks are called on: the handler, or what traces it. */
    EventHandler hooks;
    /** Whether the set has to be told after a dispatch that it may report the handle again. */
    private boolean rearms;
    private final Trigger trigger;
    private final DispatchTrace trace;
    private final SoleTable table;
    /** Made beforehand, because the end must not take memory. */
    final Runnable end = this::end;
    Registration registration;
    /** The events it is registered for, which the registration forgets when another thread closes the handle. */
    int events;
    /** Whether it was deactivated by {@link Reactor#deactivateHandle}. */
    boolean paused;
    /** Whether a hook is being called, for an event of the handle or for its end. */
    boolean busy;
    /** Whether the set is silent about the handle until a hook has returned, this entry's or its predecessor's. */
    boolean withheld;
    /**
     * What the return of the running hook lets go on: this entry, or the one that has replaced it; null, as almost
     * always, if there is nothing to do.
     */
    SoleEntry afterHook;

    SoleEntry(SoleTable table, Handle handle, EventHandler handler, Trigger trigger,
            DispatchTrace trace) {
        this.table = table;
        this.handle = handle;
        this.trigger = trigger;
        this.trace = trace;
        serveBy(handler);
    }

    private void serveBy(EventHandler newHandler) {
        handler = newHandler;
        hooks = TracedHandler.of(newHandler, trace);
        rearms = trigger == Trigger.ONE_SHOT || trigger == Trigger.EDGE && !newHandler.drains();
    }

    /** Has another handler called from now on, also for what has been reported already and is still there. */
    void handOver(EventHandler next) throws IOException {
        serveBy(next);
        if (trigger == Trigger.EDGE) {
            registration.rearm();
        }
    }

    /** {@return how many hooks were called} */
    int dispatch(int ready) {
        if (busy) {
            table.withhold(this);
            return 0;
        }
        int count = 0;
        busy = true;
        try {
            if ((ready & EventType.EXCEPTION) != 0) {
                count++;
                hooks.handleException(handle);
            }
            // Output first: it makes room in the buffers that input would fill.
            if ((ready & EventType.WRITE) != 0 && wants(EventType.WRITE)) {
                count++;
                hooks.handleOutput(handle);
            }
            if ((ready & EventType.READ) != 0 && wants(EventType.READ)) {
                count++;
                hooks.handleInput(handle);
            }
            if (rearms) {
                registration.rearm();
            }
        } catch (Throwable e) {
            table.hookFailed(this, e);
        } finally {
            if (afterHook == null) {
                busy = false;
            } else {
                table.hookReturned(this);
            }
        }
        return count;
    }

    private boolean wants(int event) {
        return (registration.activeEvents() & event) != 0;
    }

    private void end() {
        table.end(this);
    }

    @Override
    public void handleClosing(Handle closing) {
        table.handleClosing(this);
    }
}

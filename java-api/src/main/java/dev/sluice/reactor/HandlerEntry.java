package dev.sluice.reactor;

import dev.sluice.demultiplexer.Registration;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.handle.CloseListener;
import dev.sluice.handle.Handle;

/** A tuple of the {@link DemultiplexingTable}: handle, event handler and, in the registration, the event types. */
final class HandlerEntry implements CloseListener {

    final Handle handle;
    final EventHandler handler;
    /** Whether the set has to be told after a dispatch that it may report the handle again. */
    final boolean rearms;
    private final DemultiplexingTable table;
    Registration registration;
    /** The events it is registered for, which the registration forgets when another thread closes the handle. */
    int events;

    HandlerEntry(DemultiplexingTable table, Handle handle, EventHandler handler, Trigger trigger) {
        this.table = table;
        this.handle = handle;
        this.handler = handler;
        this.rearms = trigger == Trigger.ONE_SHOT || trigger == Trigger.EDGE && !handler.drains();
    }

    boolean wants(int event) {
        return (registration.activeEvents() & event) != 0;
    }

    @Override
    public void handleClosing(Handle closing) {
        table.handleClosing(this);
    }
}

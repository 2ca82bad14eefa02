package dev.sluice.reactor;

import dev.sluice.demultiplexer.Registration;
import dev.sluice.handle.CloseListener;
import dev.sluice.handle.Handle;

/** A tuple of the {@link DemultiplexingTable}: handle, event handler and, in the registration, the event types. */
final class HandlerEntry implements CloseListener {

    final Handle handle;
    final EventHandler handler;
    private final DemultiplexingTable table;
    Registration registration;
    /** What it is registered for, which the registration forgets when another thread closes the handle. */
    int events;

    HandlerEntry(DemultiplexingTable table, Handle handle, EventHandler handler) {
        this.table = table;
        this.handle = handle;
        this.handler = handler;
    }

    boolean wants(int event) {
        return (registration.activeEvents() & event) != 0;
    }

    @Override
    public void handleClosing(Handle closing) {
        table.handleClosing(this);
    }
}

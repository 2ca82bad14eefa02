package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.EventType;

/** The events that a poll waits for. */
public final class Events extends Arguments {

    private int events;

    Events(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    void set(int newEvents) {
        events = newEvents;
    }

    @Override
    void check() {
        if (EventType.requireIo(events) == 0) {
            throw new IllegalArgumentException("no events to wait for");
        }
    }

    /** {@return bits of {@link EventType#IO}} */
    public int get() {
        return events;
    }
}

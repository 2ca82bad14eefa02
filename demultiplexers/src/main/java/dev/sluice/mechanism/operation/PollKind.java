package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.EventType;

/** Waits for readiness. */
final class PollKind extends Kind {

    PollKind() {
        super(Direction.NONE);
    }

    @Override
    void check(PreparedOperation operation) {
        if (EventType.requireIo(operation.awaitedEvents()) == 0) {
            throw new IllegalArgumentException("no events to wait for");
        }
    }
}

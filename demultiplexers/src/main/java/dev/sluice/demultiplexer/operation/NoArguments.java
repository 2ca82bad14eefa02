package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/** For what is done to a handle, and needs nothing else. */
final class NoArguments extends Arguments {

    NoArguments(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }
}

package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/** The arguments of an operation that needs only its handle. */
final class NoArguments extends Arguments {

    NoArguments(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    @Override
    public long makeCall() {
        HandleAssociation file = operation.handleAssociation();
        return type == OperationType.FORCE ? file.held.system().force(file.descriptor())
                : file.held.system().forceData(file.descriptor());
    }
}

package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/** The length to which a file is truncated or extended. */
public final class NewLength extends Arguments {

    private long size;

    NewLength(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    void set(long newSize) {
        size = newSize;
    }

    @Override
    void check() {
        requireNotNegative(size, "size");
    }

    /** {@return the new length in bytes} */
    public long size() {
        return size;
    }

    @Override
    public long makeCall() {
        HandleAssociation file = operation.handleAssociation();
        return file.held.system().truncate(file.descriptor(), size);
    }
}

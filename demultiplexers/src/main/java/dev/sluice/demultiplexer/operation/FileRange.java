package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.system.RangeCall;

/** A range of a file, and the call to make on it. */
public final class FileRange extends Arguments {

    private final RangeCall call;
    private long length;

    FileRange(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
        this.call = RangeCall.valueOf(type.name());
    }

    void set(long from, long bytes) {
        position = from;
        length = bytes;
    }

    @Override
    void check() {
        RangeCall.requireRange(position, length);
        operation.handleAssociation().held.system().require(call);
    }

    /** {@return the call} */
    public RangeCall what() {
        return call;
    }

    /** {@return the first byte} */
    public long first() {
        return position;
    }

    /** {@return the number of bytes, at least 1} */
    public long length() {
        return length;
    }

    @Override
    public long makeCall() {
        HandleAssociation file = operation.handleAssociation();
        return file.held.system().call(call, file.descriptor(), position, length);
    }
}

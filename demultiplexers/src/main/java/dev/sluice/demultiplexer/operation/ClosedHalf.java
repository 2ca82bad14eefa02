package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/** Which direction of a stream is closed. The end of the output says that the peer has received everything. */
public final class ClosedHalf extends Arguments {

    private boolean output;

    ClosedHalf(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.OUTPUT);
    }

    void set(boolean ofOutput) {
        output = ofOutput;
    }

    /** {@return true if it is the sending half, false if it is the receiving half} */
    public boolean isOutput() {
        return output;
    }

    @Override
    boolean continuesStream() {
        return output;
    }
}

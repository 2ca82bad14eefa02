package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/**
 * The direction of a stream that a shutdown closes. The end of the output tells the peer that it has received
 * everything.
 */
public final class ClosedHalf extends Arguments {

    private boolean output;

    ClosedHalf(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.OUTPUT);
    }

    void set(boolean ofOutput) {
        output = ofOutput;
    }

    /** {@return whether the output is closed; false if it is the input} */
    public boolean isOutput() {
        return output;
    }

    @Override
    boolean continuesStream() {
        return output;
    }
}

package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/** The result of a post, which completes without a call. */
final class Posted extends Arguments {

    private long result;

    Posted(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    void set(long newResult) {
        result = newResult;
    }

    @Override
    void check() {
        requireNotNegative(result, "result");
    }

    @Override
    long prepare() {
        return result;
    }
}

package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/** A receive into provided buffers. */
final class ContinuousReceive extends Arguments {

    ContinuousReceive(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.INPUT);
    }

    @Override
    void giveBack() {
        operation.processor.memory.providedBuffers.waiting.passOn();
    }
}

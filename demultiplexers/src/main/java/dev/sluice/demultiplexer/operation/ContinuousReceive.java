package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/** The arguments of a receive into provided buffers. */
final class ContinuousReceive extends Arguments {

    ContinuousReceive(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.INPUT);
    }

    @Override
    void release() {
        operation.processor.memory.providedBuffers.waiting.resumeNext();
    }
}

package dev.sluice.demultiplexers.emulated;

import dev.sluice.demultiplexers.operation.NativeOperation;
import dev.sluice.demultiplexers.operation.OperationProcessor;

/** An operation and what it waits for. */
final class EmulatedOperation extends NativeOperation {

    /** The events without which it does not go on, 0 if it waits for none. Inside. */
    int awaited;

    EmulatedOperation(OperationProcessor processor, Object attachment) {
        super(processor, attachment);
    }
}

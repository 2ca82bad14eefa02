package dev.sluice.mechanism.emulated;

import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.mechanism.operation.OperationProcessor;

/** An operation and what it waits for. */
final class EmulatedOperation extends NativeOperation {

    /** How it is executed; null if it has never been begun. */
    Execution execution;
    /** The events that it waits for, 0 if it waits for none. Used inside. */
    int awaited;

    EmulatedOperation(OperationProcessor processor, Object attachment) {
        super(processor, attachment);
    }

    boolean isPoll() {
        return execution != null && execution.isPoll();
    }
}

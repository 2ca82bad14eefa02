package dev.sluice.demultiplexers.emulated;

import dev.sluice.demultiplexers.operation.NativeOperation;
import dev.sluice.demultiplexers.operation.OperationProcessor;

/** An operation and what it waits for. */
final class EmulatedOperation extends NativeOperation {

    /** The events without which it does not go on, 0 if it waits for none. For the loop thread. */
    int awaited;
    /** Its place among the {@link Deadlines}. For the loop thread. */
    int index;
    /** What a thread of the {@link FilePool} has got for it. */
    long result;
    /** The one that was performed before this one and has not been taken yet. */
    EmulatedOperation nextPerformed;

    EmulatedOperation(OperationProcessor processor, Object attachment) {
        super(processor, attachment);
    }
}

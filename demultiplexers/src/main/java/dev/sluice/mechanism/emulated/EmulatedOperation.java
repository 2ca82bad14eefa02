package dev.sluice.mechanism.emulated;

import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.mechanism.operation.OperationProcessor;
import dev.sluice.mechanism.operation.PooledCall;

/** An operation and what it waits for. */
final class EmulatedOperation extends NativeOperation {

    /** How it is executed; null if it has never been begun. */
    Execution execution;
    /** The events that it waits for, 0 if it waits for none. Used inside. */
    int awaited;
    /** The latest call that a thread of the pool was to make for it, null if there was none. Used inside. */
    PooledCall pooled;
    /** Whether the file that it transmits has no more bytes. Used inside. */
    boolean fileEnded;
    /** Whether the system cannot send that file, so that it is read and sent. Changed inside, between two calls. */
    boolean copiesFile;
    private ExecutedCall executed;

    EmulatedOperation(OperationProcessor processor) {
        super(processor);
    }

    /** {@return the call that it stands for; made once, since files may be read from again and again} */
    PooledCall executed() {
        if (executed == null) {
            executed = new ExecutedCall(this);
        }
        return executed;
    }

    boolean isPoll() {
        return execution != null && execution.isPoll();
    }
}

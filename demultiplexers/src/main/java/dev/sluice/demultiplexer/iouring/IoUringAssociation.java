package dev.sluice.mechanism.iouring;

import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.mechanism.operation.HandleAssociation;
import dev.sluice.mechanism.operation.OperationProcessor;

/** A handle's operations, and what has been learned about the handle. */
final class IoUringAssociation extends HandleAssociation {

    /** False once the kernel has refused a zero-copy send, as it does for Unix domain sockets. */
    boolean zeroCopyWorks = true;

    IoUringAssociation(OperationProcessor processor, Handle handle) throws HandleClosedException {
        super(processor, handle);
    }
}

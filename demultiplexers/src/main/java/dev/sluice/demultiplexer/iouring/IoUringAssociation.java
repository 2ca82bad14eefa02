package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;

/** A handle's operations, and what has been learned about the handle. */
final class IoUringAssociation extends HandleAssociation {

    /** False once the kernel has refused a zero-copy send, as it does for Unix domain sockets. */
    boolean zeroCopyWorks = true;

    IoUringAssociation(OperationProcessor processor, Handle handle) throws HandleClosedException {
        super(processor, handle);
    }
}

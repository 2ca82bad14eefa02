package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;

/** The operations of a handle, and properties of the handle. */
final class IoUringAssociation extends HandleAssociation {

    /** Whether to try zero-copy sends; false once the kernel has refused one, as it does for Unix domain sockets. */
    boolean zeroCopyWorks = true;

    IoUringAssociation(OperationProcessor processor, Handle handle) throws HandleClosedException {
        super(processor, handle);
    }
}

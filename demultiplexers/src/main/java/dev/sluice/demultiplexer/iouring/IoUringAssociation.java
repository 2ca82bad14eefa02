package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.operation.CachedFile;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import org.jspecify.annotations.Nullable;

/** The operations of a handle, and properties of the handle. */
final class IoUringAssociation extends HandleAssociation {

    /** Whether to try zero-copy sends; false once the kernel has refused one, as it does for Unix domain sockets. */
    boolean zeroCopyWorks = true;
    /** The types of requests that the file system has refused for this file, a bit for each. */
    private long refused;
    /** Null unless the handle is that of a file that has been read or written. */
    private @Nullable CachedFile cachedFile;

    IoUringAssociation(OperationProcessor processor, Handle handle) throws HandleClosedException {
        super(processor, handle);
    }

    /** {@return how the file is read and written by the given object} */
    CachedFile cachedFile(CachedTransfers transfers) {
        CachedFile file = cachedFile;
        if (file == null) {
            file = transfers.file(this);
            cachedFile = file;
        }
        return file;
    }

    /** {@return whether threads execute the operations of a type, because the file system has refused its requests} */
    boolean refuses(OperationType type) {
        return (refused & 1L << type.ordinal()) != 0;
    }

    /** Called when the file system has refused a request. */
    void refused(OperationType type) {
        refused |= 1L << type.ordinal();
    }
}

package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.handle.FileHandle;
import java.nio.ByteBuffer;

/** Opens a file. */
final class Open extends Request {

    Open(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        IoUringSqe.set(entries, at, IORING_OP_OPENAT, FileConstants.AT_FDCWD, 0, operation.address(),
                IoUringOperation.mode(), operation.openFlags(), operation.key());
    }

    @Override
    long most(IoUringOperation operation, int flags) {
        return ANY;
    }

    @Override
    void completed(IoUringOperation operation, int result, int flags) {
        if (Errno.EINTR.is(result)) {
            demultiplexer().resume(operation);
        } else if (result < 0) {
            demultiplexer().complete(operation, result);
        } else {
            FileHandle file = operation.adoptFile(result);
            demultiplexer().complete(operation, file == null ? -Errno.ENOMEM.number() : 0, file);
        }
    }
}

package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CLOSE;

import dev.sluice.calls.Errno;
import dev.sluice.system.OperatingSystem;
import java.nio.ByteBuffer;

/** Closes a descriptor, which is gone whatever the kernel answers (close(2)). */
final class Close extends Request {

    Close(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        set(operation, entries, at, IORING_OP_CLOSE, 0, 0, 0, 0);
    }

    @Override
    void completed(IoUringOperation operation, int result, int flags) {
        outcomes().complete(operation, Errno.EINTR.is(result) ? 0 : result);
    }

    @Override
    void abandoned(IoUringOperation operation) {
        // If the kernel has got the request, it has executed it, and the number may be somebody else's by now.
        if (!demultiplexer().hasReachedKernel(operation)) {
            OperatingSystem.current().close(operation.descriptor(), false);
        }
    }
}

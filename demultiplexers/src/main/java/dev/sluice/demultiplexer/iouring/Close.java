package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CLOSE;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Closing;
import dev.sluice.system.OperatingSystem;
import java.nio.ByteBuffer;

/** Closes a descriptor, which is gone whatever the kernel answers (close(2)). */
final class Close extends Request {

    Close(Submissions submissions, Closing asked) {
        super(submissions, asked);
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        set(entries, at, IORING_OP_CLOSE, 0, 0, 0, 0);
    }

    @Override
    void complete(int result, int flags) {
        outcomes().complete(operation(), Errno.EINTR.is(result) ? 0 : result);
    }

    @Override
    void abandoned() {
        // If the kernel has got the request, it has executed it, and the number may be somebody else's by now.
        if (!hasReachedKernel()) {
            OperatingSystem.current().close(descriptor(), false);
        }
    }
}

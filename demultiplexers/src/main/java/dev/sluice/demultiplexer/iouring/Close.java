package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CLOSE;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.system.OperatingSystem;

/** Closes a descriptor, which is closed even if the request fails (close(2)). */
final class Close extends Request<Arguments> {

    Close(Requests requests, Arguments arguments) {
        super(requests, arguments);
    }

    @Override
    void perform() {
        set(IORING_OP_CLOSE, 0, 0, 0, 0);
    }

    @Override
    void complete(int result, int flags) {
        outcomes.complete(operation, Errno.EINTR.is(result) ? 0 : result);
    }

    @Override
    protected void abandoned() {
        // If the kernel has received the request, it has executed it, and the number may have been reused.
        if (!requests.hasReachedKernel(operation)) {
            OperatingSystem.current().close(descriptor(), false);
        }
    }
}

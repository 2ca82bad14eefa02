package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.handle.FileHandle;

/**
 * Opens a file. The kernel first tries with {@code O_NONBLOCK}, which it takes away again, and for a FIFO that decides
 * (fifo(7), seen on Linux 6.18): for reading it is open at once without a writer, for writing it fails with
 * {@code ENXIO} without a reader. With {@code O_CREAT} or {@code O_TRUNC} a thread of the kernel opens it from the
 * start, and waits for the other end as {@code open} does. Making it do so always would cost every open that thread,
 * and a few FIFOs all of them.
 */
final class Open extends Request<Opening> {

    /**
     * The kernel's internal code for a call that was interrupted before it did anything. It should never be visible
     * outside, but a cancelled open of a FIFO completes with it (seen on Linux 6.18).
     */
    private static final int ERESTARTSYS = 512;

    Open(Requests requests, Opening asked) {
        super(requests, asked);
    }

    @Override
    void perform() {
        set(IORING_OP_OPENAT, FileConstants.AT_FDCWD, 0, asked.address(), Opening.mode(), asked.flags());
    }

    @Override
    long most(int flags) {
        return ANY;
    }

    @Override
    void complete(int result, int flags) {
        if (Errno.EINTR.is(result) || result == -ERESTARTSYS) {
            resume();
        } else if (result < 0) {
            outcomes.complete(operation, result);
        } else {
            FileHandle file = asked.adopt(result);
            outcomes.complete(operation, file == null ? -Errno.ENOMEM.number() : 0, file);
        }
    }
}

package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.KernelTimespec;
import java.nio.ByteBuffer;

/** Lets time pass. */
final class Timeout extends Request {

    Timeout(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        long left = Math.max(0, operation.endOfTimeout() - System.nanoTime());
        KernelTimespec.set(operation.structure(), operation.structureAt(), left);
        IoUringSqe.set(entries, at, IORING_OP_TIMEOUT, -1, 0, operation.structureAddress(), 1, 0, operation.key());
    }

    @Override
    long most(IoUringOperation operation, int flags) {
        return ANY;
    }

    @Override
    void completed(IoUringOperation operation, int result, int flags) {
        outcomes().complete(operation, Errno.ETIME.is(result) ? 0 : result);
    }
}

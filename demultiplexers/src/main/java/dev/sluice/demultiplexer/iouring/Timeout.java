package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.KernelTimespec;
import dev.sluice.demultiplexer.operation.Delay;

/** Completes after a delay. */
final class Timeout extends Request<Delay> {

    private static final int NO_DESCRIPTOR = -1;

    Timeout(Requests requests, Delay arguments) {
        super(requests, arguments);
    }

    @Override
    void perform() {
        long left = Math.max(0, arguments.deadline() - System.nanoTime());
        KernelTimespec.set(memory().structure(), memory().structureAt(), left);
        set(IORING_OP_TIMEOUT, NO_DESCRIPTOR, 0, memory().structureAddress(), 1, 0);
    }

    @Override
    long maxResult(int flags) {
        return ANY;
    }

    @Override
    void complete(int result, int flags) {
        outcomes.complete(operation, Errno.ETIME.is(result) ? 0 : result);
    }
}

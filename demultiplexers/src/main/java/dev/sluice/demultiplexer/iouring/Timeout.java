package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.KernelTimespec;
import dev.sluice.demultiplexer.operation.Delay;

/** Lets time pass. */
final class Timeout extends Request<Delay> {

    private static final int NO_DESCRIPTOR = -1;

    Timeout(Requests requests, Delay asked) {
        super(requests, asked);
    }

    @Override
    void perform() {
        long left = Math.max(0, asked.deadline() - System.nanoTime());
        KernelTimespec.set(memory().structure(), memory().structureAt(), left);
        set(IORING_OP_TIMEOUT, NO_DESCRIPTOR, 0, memory().structureAddress(), 1, 0);
    }

    @Override
    long most(int flags) {
        return ANY;
    }

    @Override
    void complete(int result, int flags) {
        outcomes.complete(operation, Errno.ETIME.is(result) ? 0 : result);
    }
}

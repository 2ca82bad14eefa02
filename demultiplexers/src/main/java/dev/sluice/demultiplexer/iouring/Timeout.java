package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.KernelTimespec;
import dev.sluice.demultiplexer.operation.Delay;
import java.nio.ByteBuffer;

/** Lets time pass. */
final class Timeout extends Request {

    private final Delay delay;

    Timeout(Submissions submissions, Delay delay) {
        super(submissions, delay);
        this.delay = delay;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        long left = Math.max(0, delay.deadline() - System.nanoTime());
        KernelTimespec.set(memory().structure(), memory().structureAt(), left);
        set(entries, at, IORING_OP_TIMEOUT, 0, memory().structureAddress(), 1, 0);
    }

    @Override
    long most(int flags) {
        return ANY;
    }

    @Override
    void complete(int result, int flags) {
        outcomes().complete(operation(), Errno.ETIME.is(result) ? 0 : result);
    }
}

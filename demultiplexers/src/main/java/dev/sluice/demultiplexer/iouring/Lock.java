package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.KernelTimespec;
import dev.sluice.demultiplexer.operation.Locking;

/**
 * Locks a range of a file, for which no kernel has a request, by calls that do not wait for it. The only requests are
 * the pauses in between.
 */
final class Lock extends FileRequest<Locking> {

    private static final int NO_DESCRIPTOR = -1;

    private boolean pausing;

    Lock(Requests requests, Locking arguments) {
        super(requests, arguments);
    }

    @Override
    boolean isForRing() {
        return pausing;
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

    /** {@inheritDoc} At the end of a pause, calls again. */
    @Override
    void complete(int result, int flags) {
        if (result < 0 && !Errno.ETIME.is(result)) {
            finish(result);
        } else {
            pausing = false;
            requestMore();
        }
    }

    @Override
    void executed(long result) {
        if (arguments.isToWait(result)) {
            pausing = true;
            arguments.beginPause();
            requestMore();
        } else {
            outcomes.complete(operation, arguments.outcome(result), arguments.takeResource());
        }
    }

    @Override
    protected boolean releaseBorrowed() {
        pausing = false;
        return super.releaseBorrowed();
    }
}

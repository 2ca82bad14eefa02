package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_FSYNC_DATASYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.ForcedTransfer;

/**
 * Writes to a file and then forces its content to the disk, by a chain of two requests: the kernel begins the force
 * when the write has moved all its bytes, and cancels it otherwise (IOSQE_IO_LINK, io_uring_enter(2)).
 *
 * <p>A force counts only if it was begun after the last byte had been written. So after a short write another chain
 * follows for the rest, and of bytes that take several attempts only the last ones are in a chain. If requests are not
 * linked, the submission queue has space for one only, or the force of another append to the file is not over, the
 * force is requested when the write has completed. The kernel may report the two completions in any order.
 */
final class WriteAndForce extends FileRequest<ForcedTransfer> {

    // Bits in the user data of a force that is linked to a write, in addition to the key of the operation, in which
    // they are never set

    /** The force. */
    private static final long FORCE = 1L << Integer.SIZE - 2;
    /** The force was separated from its write, and has not been executed. */
    private static final long SEPARATED = 1L << Integer.SIZE - 3;

    private final TransferRequest write = new TransferRequest(this, arguments);
    /** Whether the kernel has a write and a force, or one of them has completed. */
    private boolean chained;
    /** Whether the current request is a force alone. */
    private boolean forces;
    private boolean writeCompleted;
    private boolean forceCompleted;
    /** The result of the write, if that has completed. */
    private int written;
    /** The result of the force, if that has completed. */
    private int forced;

    WriteAndForce(Requests requests, ForcedTransfer arguments) {
        super(requests, arguments);
    }

    /** {@return whether the user data is that of a force in a chain} */
    static boolean isForce(long userData) {
        return (userData & FORCE) != 0;
    }

    /** {@return the key of the operation of a force in a chain} */
    static long key(long userData) {
        return userData & ~(FORCE | SEPARATED);
    }

    /** {@return the user data of a force that is separated from its write} */
    static long separated(long userData) {
        return userData | SEPARATED;
    }

    boolean isChained() {
        return chained;
    }

    @Override
    boolean prepare() {
        return (!arguments.isWritten() || arguments.beginsForce()) && super.prepare();
    }

    @Override
    void perform() {
        writeCompleted = false;
        forceCompleted = false;
        forces = arguments.isWritten();
        chained = false;
        if (forces) {
            set(IORING_OP_FSYNC, 0, 0, 0, IORING_FSYNC_DATASYNC);
            return;
        }
        write.set(memory());
        Ring ring = requests.ring;
        // Only behind the last bytes: the system reports once what it could not write, and a force of a part would take
        // that report.
        if (requests.links && arguments.isWrittenAfter(arguments.maxBytes()) && ring.hasSpaceForTwo()
                && arguments.mayLinkForce()) {
            ring.link(IORING_OP_FSYNC, descriptor(), IORING_FSYNC_DATASYNC, operation.key() | FORCE);
            chained = true;
        }
    }

    // Completions

    @Override
    void take(int result, int flags) {
        if (forces) {
            forced = result;
            forceCompleted = true;
        } else {
            written = result;
            writeCompleted = true;
        }
        if (!chained || forceCompleted) {
            conclude();
        } else if (arguments.isWrittenAfter(written)) {
            // The force may take long.
            arguments.endWrite();
        }
    }

    /** Handles the completion of the force in a chain. */
    void takeForce(long userData, int result) {
        // A force that was not executed was cancelled.
        forced = (userData & SEPARATED) != 0 ? -Errno.ECANCELED.number() : result;
        forceCompleted = true;
        if (!writeCompleted) {
            return;
        }
        try {
            conclude();
        } catch (RuntimeException | Error e) {
            outcomes.failed(operation, e);
        }
    }

    private void conclude() {
        boolean ofChain = chained;
        chained = false;
        if (forces || concludeWrite()) {
            concludeForce(ofChain);
        }
    }

    /** {@return whether all bytes have been written; if not, the operation has been continued or completed} */
    private boolean concludeWrite() {
        if (written > arguments.maxBytes()) {
            logImpossible(written);
            finish(-Errno.EIO.number());
        } else if (written < 0) {
            if (Errno.EOPNOTSUPP.is(written)) {
                repeatByCall();
            } else if (isInterrupted(written) || isDropped(written) || write.isRefused(written)) {
                resume();
            } else {
                finish(written);
            }
        } else if (arguments.moved(written)) {
            resume();
        } else if (!arguments.isWritten()) {
            // The system has accepted no byte.
            finish(-Errno.EIO.number());
        } else {
            // Before the force, which may have to be requested once more.
            arguments.endWrite();
            return true;
        }
        return false;
    }

    private void concludeForce(boolean ofChain) {
        if (!forceCompleted) {
            if (mayForce()) {
                resume();
            }
        } else if (forced == 0) {
            finish(arguments.done());
        } else if (forced > 0) {
            logImpossible(forced);
            finish(-Errno.EIO.number());
        } else if (Errno.EOPNOTSUPP.is(forced)) {
            repeatByCall();
        } else if (isInterrupted(forced) || ofChain && Errno.ECANCELED.is(forced)
                || isDropped(forced)) {
            // It was not executed.
            resume();
        } else {
            finish(forced);
        }
    }

    /** {@return whether the force can be requested now, unless the operation has been cancelled} */
    private boolean mayForce() {
        return isCancelled() || arguments.beginsForce();
    }

    /** {@inheritDoc} The call has forced if all bytes had been written before it, and has written otherwise. */
    @Override
    void executed(long result) {
        if (arguments.isWritten()) {
            finish(result < 0 ? result : arguments.done());
        } else if (result < 0) {
            finish(result);
        } else if (arguments.moved(result)) {
            submitToPool();
        } else if (!arguments.isWritten()) {
            // The system has accepted no byte.
            finish(-Errno.EIO.number());
        } else if (mayForce()) {
            submitToPool();
        }
    }

    private static boolean isInterrupted(int result) {
        return Errno.EINTR.is(result) || result == -ERESTARTSYS;
    }

    // The end

    @Override
    long userDataToCancel() {
        return chained && writeCompleted ? operation.key() | FORCE : operation.key();
    }

    @Override
    protected boolean releaseBorrowed() {
        // The kernel still has the other request of the chain.
        return !chained && super.releaseBorrowed();
    }
}

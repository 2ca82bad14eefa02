package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.ForcedTransfer;

/**
 * Writes to a file and then forces its content to the disk. The thread that has written the last byte also forces,
 * without a further hand-over; except for appends, of which the next one may be written then, and which may share a
 * force.
 */
final class WriteAndForce extends PooledAttempt<ForcedTransfer> {

    private final FileTransfer write;
    /** Whether the latest call has forced. */
    private boolean forcedByCall;
    /** The result of the force of the latest call. */
    private long forced;

    WriteAndForce(Emulation emulation, ForcedTransfer arguments) {
        super(emulation, arguments, emulation.files);
        this.write = new FileTransfer(emulation, arguments, true);
    }

    @Override
    protected void begin() {
        if (!arguments.isWritten() || arguments.beginsForce()) {
            super.begin();
        }
    }

    @Override
    long call() {
        forcedByCall = false;
        if (arguments.isWritten()) {
            return force();
        }
        long written = write.call();
        if (written > 0 && arguments.isWrittenAfter(written) && !arguments.appends()) {
            forced = force();
            forcedByCall = true;
        }
        return written;
    }

    private long force() {
        long result;
        do {
            result = emulation.system.forceData(association().descriptor());
        } while (Errno.EINTR.is(result));
        return result;
    }

    @Override
    protected void performed(long result) {
        if (arguments.isWritten()) {
            conclude(result);
        } else if (result < 0) {
            outcomes.complete(operation, result);
        } else if (arguments.moved(result)) {
            proceed();
        } else if (!arguments.isWritten()) {
            // The system has accepted no byte.
            outcomes.complete(operation, -Errno.EIO.number());
        } else if (forcedByCall) {
            conclude(forced);
        } else {
            proceed();
        }
    }

    private void proceed() {
        if (operation.isCancelRequested()) {
            outcomes.complete(operation, -Errno.ECANCELED.number());
        } else {
            begin();
        }
    }

    private void conclude(long ofForce) {
        outcomes.complete(operation, ofForce < 0 ? ofForce : arguments.done());
    }
}

package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.ForcedTransfer;
import dev.sluice.demultiplexer.operation.PooledCall;

/** Writes to a file, and then forces its content to the disk on a thread of the pool. */
final class WriteAndForce extends FileTransfer {

    private final ForcedTransfer source;
    private final PooledCall force;
    /** Whether all bytes have been written, and the force has been submitted. */
    private boolean forces;

    WriteAndForce(IocpDemultiplexer demultiplexer, ForcedTransfer arguments) {
        super(demultiplexer, arguments, true);
        source = arguments;
        force = new PooledCall(operation) {
            @Override
            protected long make() {
                return demultiplexer.system.forceData(descriptor());
            }
        };
    }

    @Override
    void reset() {
        super.reset();
        forces = false;
    }

    @Override
    boolean moved(long result) {
        if (result < 0) {
            return finish(result);
        }
        // If nothing is left to be written, the preparation of the next call forces.
        if (source.moved(result) || source.isWritten()) {
            return true;
        }
        // The system has accepted no byte.
        return finish(-Errno.EIO.number());
    }

    @Override
    boolean prepare() {
        if (!source.isWritten()) {
            return super.prepare();
        }
        if (source.beginsForce()) {
            demultiplexer.files.submit(force);
            forces = true;
        }
        return false;
    }

    @Override
    protected void performed(long result) {
        forces = false;
        outcomes.complete(operation, result < 0 ? result : source.done());
    }

    @Override
    protected void cancel() {
        if (!forces) {
            super.cancel();
        } else if (demultiplexer.files.withdraw(force)) {
            forces = false;
            outcomes.complete(operation, -Errno.ECANCELED.number());
        }
    }
}

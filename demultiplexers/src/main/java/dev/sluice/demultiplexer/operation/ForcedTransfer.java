package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to write to a file, whose content is forced to the disk after the last of them. They are durable only if the
 * operation succeeds.
 */
public final class ForcedTransfer extends Transfer {

    /** Whether the first attempt has been prepared. */
    private boolean prepared;

    // Of an operation that has completed, for its error
    private boolean wasWritten;
    private long bytesWritten;

    ForcedTransfer(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE, true);
    }

    @Override
    void check() {
        prepared = false;
        wasWritten = false;
        bytesWritten = 0;
        super.check();
    }

    /** {@inheritDoc} If the operation has waited for its force, the buffers are not used any more. */
    @Override
    long prepare() {
        return isWritten() ? NEEDS_CALL : super.prepare();
    }

    @Override
    void prepareNext() {
        prepared = true;
        super.prepareNext();
    }

    /** {@inheritDoc} Even without any bytes there may be earlier writes to force. */
    @Override
    boolean isNothing() {
        return false;
    }

    /** {@return whether all bytes have been written, so that only the force is left} */
    public boolean isWritten() {
        return prepared && !hasRemainder();
    }

    /**
     * {@return whether all bytes will have been written when the current attempt has moved some}
     *
     * @param bytes the number of bytes that the attempt moves
     */
    public boolean isWrittenAfter(long bytes) {
        return done() + bytes == total();
    }

    // Appends, of which one is written at a time, and one forced at a time

    /** Lets the next append of the handle begin, because all bytes of this one have been written. */
    public void endWrite() {
        if (appends()) {
            operation.handleAssociation().endOutput(operation);
        }
    }

    /**
     * Called when all bytes have been written, and the operation has not been cancelled.
     *
     * @return whether the force is to be executed now; if not, the operation waits for the force of another append, or
     *         has completed
     */
    public boolean beginsForce() {
        if (!appends()) {
            return true;
        }
        endWrite();
        boolean begins = AppendForces.of(operation.handleAssociation()).begin(operation);
        if (!begins && memory.isBorrowed) {
            memory.release();
        }
        return begins;
    }

    /** {@return whether the force can be submitted together with the write that it follows} */
    public boolean mayLinkForce() {
        return !appends() || AppendForces.of(operation.handleAssociation()).reserve(operation);
    }

    /** {@inheritDoc} Forces if all bytes have been written. */
    @Override
    public long makeCall() {
        HandleAssociation file = operation.handleAssociation();
        return isWritten() ? file.held.system().forceData(file.descriptor()) : super.makeCall();
    }

    @Override
    void takeOver(long result) {
        wasWritten = isWritten();
        bytesWritten = done();
        super.takeOver(result);
    }

    /** {@inheritDoc} The write, until that has written all bytes. */
    @Override
    String call() {
        return wasWritten ? OperationType.FORCE_DATA.call() : OperationType.WRITE.call();
    }

    @Override
    @Nullable String advice(long result) {
        return bytesWritten > 0 ? bytesWritten + " bytes were written before, and may not be durable" : null;
    }
}

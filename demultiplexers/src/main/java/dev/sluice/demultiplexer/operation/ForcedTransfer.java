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

package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/**
 * The descriptor that is closed. Nothing else would close it, so neither a cancellation nor the end of the processor
 * stops this.
 */
public final class Closing extends Arguments {

    private long descriptor;

    Closing(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.ALONE);
    }

    @Override
    boolean canBeCancelled() {
        return false;
    }

    @Override
    long prepare() {
        descriptor = operation().association().surrender();
        // The handle may still have other users, and the last one to leave closes it.
        return descriptor < 0 ? 0 : NEEDS_CALL;
    }

    @Override
    public long descriptor() {
        return descriptor;
    }

    /** {@return whether it is that of a socket, which some systems close in a way of its own} */
    public boolean isOfSocket() {
        return operation().association().handle().isSocket();
    }

    @Override
    void abandoned() {
        operation().association().handle().close();
    }
}

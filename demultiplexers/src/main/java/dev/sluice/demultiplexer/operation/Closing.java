package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/**
 * The descriptor that is closed. Nothing else would close it, so neither a cancellation nor the end of the processor
 * stops this.
 */
public final class Closing extends Arguments {

    Closing(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.ALONE);
    }

    @Override
    boolean canBeCancelled() {
        return false;
    }

    @Override
    long prepare() {
        // The handle may still have other users, and the last one to leave closes it.
        return operation().association().surrender() ? NEEDS_CALL : 0;
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

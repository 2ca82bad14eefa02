package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;

/**
 * The arguments of a close. Nothing else would close the descriptor, so neither a cancellation nor the end of the
 * processor prevents it.
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
        // If the handle has other users, the last of them closes the descriptor.
        return operation().handleAssociation().surrender() ? NEEDS_CALL : 0;
    }

    /** {@return whether the descriptor is a socket, for which some systems have a different call} */
    public boolean isOfSocket() {
        return operation().handleAssociation().handle().isSocket();
    }

    @Override
    void abandoned() {
        operation().handleAssociation().handle().close();
    }
}

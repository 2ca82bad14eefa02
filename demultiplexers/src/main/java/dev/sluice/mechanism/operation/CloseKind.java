package dev.sluice.mechanism.operation;

/** Closes a handle. Nothing else would close it, so neither a cancellation nor the end of the processor stops this. */
final class CloseKind extends Kind {

    CloseKind() {
        super(Direction.ALONE);
    }

    @Override
    boolean canBeCancelled() {
        return false;
    }

    @Override
    long prepare(PreparedOperation operation) {
        operation.surrenderDescriptor();
        return 0;
    }

    @Override
    boolean needsNoCall(PreparedOperation operation) {
        // The handle still has other users, and the last one to leave closes it.
        return operation.descriptor() < 0;
    }

    @Override
    void abandoned(PreparedOperation operation) {
        operation.association().handle().close();
    }
}

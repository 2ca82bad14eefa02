package dev.sluice.mechanism.operation;

/** Moves the bytes of buffers, in as many attempts as it takes. */
class TransferKind extends Kind {

    private final boolean output;

    TransferKind(Direction direction, boolean output) {
        super(direction);
        this.output = output;
    }

    @Override
    final boolean isOutput() {
        return output;
    }

    @Override
    void check(PreparedOperation operation) {
        operation.requireBuffers();
        if (!output) {
            operation.requireRoom();
        }
        requireNotNegative(operation.position(), "position");
        operation.requireAddresses();
    }

    @Override
    final long prepare(PreparedOperation operation) {
        operation.prepareBuffers();
        return 0;
    }

    @Override
    boolean needsNoCall(PreparedOperation operation) {
        return output && operation.total() == 0;
    }

    @Override
    final boolean continuesStream(PreparedOperation operation) {
        return output && direction() == Direction.OUTPUT && !isDatagram();
    }

    @Override
    long result(PreparedOperation operation, long lastAttempt) {
        return output ? operation.done() : lastAttempt;
    }
}

package dev.sluice.mechanism.operation;

/** Closes one direction of a stream. The end of the output says that the peer has received everything. */
final class ShutdownKind extends Kind {

    ShutdownKind() {
        super(Direction.OUTPUT);
    }

    @Override
    boolean continuesStream(PreparedOperation operation) {
        return operation.shutsDownOutput();
    }
}

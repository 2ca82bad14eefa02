package dev.sluice.mechanism.operation;

/** Connects to an address. */
final class ConnectKind extends Kind {

    ConnectKind() {
        super(Direction.OUTPUT);
    }

    @Override
    void check(PreparedOperation operation) {
        requirePeer(operation.peer());
    }

    @Override
    long prepare(PreparedOperation operation) {
        operation.preparePeer();
        return 0;
    }
}

package dev.sluice.mechanism.operation;

/** Sends a datagram. */
final class SendToKind extends DatagramKind {

    SendToKind() {
        super(Direction.OUTPUT, true);
    }

    @Override
    void check(PreparedOperation operation) {
        super.check(operation);
        if (operation.peer() != null) {
            requirePeer(operation.peer());
        }
    }

    @Override
    int prepareName(PreparedOperation operation) {
        return operation.writePeer();
    }
}

package dev.sluice.mechanism.operation;

/** Sends a datagram. */
final class SendToKind extends DatagramKind {

    SendToKind() {
        super(Direction.OUTPUT, true);
    }

    @Override
    int prepareName(PreparedOperation operation) {
        return operation.writePeer();
    }
}

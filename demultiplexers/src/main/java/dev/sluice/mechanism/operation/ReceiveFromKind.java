package dev.sluice.mechanism.operation;

import dev.sluice.calls.layout.SockaddrStorage;

/** Receives a datagram, and its sender's address. */
final class ReceiveFromKind extends DatagramKind {

    ReceiveFromKind() {
        super(Direction.INPUT, false);
    }

    @Override
    int prepareName(PreparedOperation operation) {
        return SockaddrStorage.SIZE;
    }

    @Override
    void takeOver(PreparedOperation operation, long result) {
        if (result >= 0) {
            operation.readSender();
        }
    }
}

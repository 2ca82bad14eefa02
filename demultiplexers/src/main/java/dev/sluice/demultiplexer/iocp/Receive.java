package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Transfer;

/** Receives into the initiator's buffers. */
final class Receive extends ReceiveRequest {

    private final Transfer asked;

    Receive(OverlappedCalls calls, Transfer asked) {
        super(calls, asked);
        this.asked = asked;
    }

    @Override
    long perform() {
        return asked.isVectored()
                ? receive(memory().vector(), memory().vectorCount())
                : receive(block().vector(asked.address(), asked.length()), 1);
    }
}

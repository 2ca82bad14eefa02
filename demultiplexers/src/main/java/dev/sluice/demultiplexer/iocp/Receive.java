package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Transfer;

/** Receives into the initiator's buffers. */
final class Receive extends ReceiveRequest<Transfer> {

    Receive(IocpDemultiplexer demultiplexer, Transfer asked) {
        super(demultiplexer, asked);
    }

    @Override
    long perform() {
        return asked.isVectored()
                ? receive(memory().vector(), memory().vectorCount())
                : receive(block().vector(asked.address(), asked.length()), 1);
    }
}

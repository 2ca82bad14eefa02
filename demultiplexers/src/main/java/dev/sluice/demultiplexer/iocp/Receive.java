package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Transfer;

/** Receives into buffers of the program. */
final class Receive extends ReceiveRequest<Transfer> {

    Receive(IocpDemultiplexer demultiplexer, Transfer arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    long perform() {
        return arguments.isVectored()
                ? receive(memory().vector(), memory().vectorCount())
                : receive(block().vector(arguments.address(), arguments.length()), 1);
    }
}

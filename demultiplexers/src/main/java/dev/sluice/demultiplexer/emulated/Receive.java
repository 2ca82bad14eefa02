package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.spi.EventType;

/** Receives into the initiator's buffers. */
final class Receive extends Move<Transfer> {

    Receive(Emulation emulation, Transfer asked) {
        super(emulation, asked, EventType.READ);
    }

    @Override
    long call() {
        return asked.isVectored()
                ? emulation.posix.recvmsg(descriptor(), memory().message(), 0)
                : emulation.posix.recv(descriptor(), asked.address(), asked.length(), 0);
    }
}

package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.operation.Transfer;

/** Receives into the initiator's buffers. */
final class Receive extends Move {

    private final Transfer asked;
    private final Posix posix;

    Receive(Emulation emulation, Transfer asked, Posix posix) {
        super(emulation, asked, EventType.READ);
        this.asked = asked;
        this.posix = posix;
    }

    @Override
    long call() {
        return asked.isVectored()
                ? posix.recvmsg(descriptor(), memory().message(), 0)
                : posix.recv(descriptor(), asked.address(), asked.length(), 0);
    }
}

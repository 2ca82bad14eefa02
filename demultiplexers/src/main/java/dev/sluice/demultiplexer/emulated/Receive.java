package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.spi.EventType;

/** Receives into buffers of the program. */
final class Receive extends Move<Transfer> {

    Receive(Emulation emulation, Transfer arguments) {
        super(emulation, arguments, EventType.READ);
    }

    @Override
    long call() {
        return arguments.isVectored()
                ? emulation.posix.recvmsg(descriptor(), memory().message(), 0)
                : emulation.posix.recv(descriptor(), arguments.address(), arguments.length(), 0);
    }
}

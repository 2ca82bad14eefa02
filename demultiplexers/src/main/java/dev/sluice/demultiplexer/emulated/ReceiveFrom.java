package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Datagram;
import dev.sluice.demultiplexer.spi.EventType;

/** Receives a datagram. */
final class ReceiveFrom extends Move<Datagram> {

    ReceiveFrom(Emulation emulation, Datagram arguments) {
        super(emulation, arguments, EventType.READ);
    }

    @Override
    long call() {
        return emulation.system.receiveMessage(descriptor(), memory().message(), memory().structure(),
                memory().messageAt());
    }
}

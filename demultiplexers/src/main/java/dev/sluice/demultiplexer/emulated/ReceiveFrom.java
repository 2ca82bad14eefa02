package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Datagram;
import dev.sluice.demultiplexer.spi.EventType;

/** Receives a datagram. */
final class ReceiveFrom extends Move<Datagram> {

    ReceiveFrom(Emulation emulation, Datagram asked) {
        super(emulation, asked, EventType.READ);
    }

    @Override
    long call() {
        return emulation.system.receiveMessage(descriptor(), memory().message(), memory().structure(),
                memory().messageAt());
    }
}

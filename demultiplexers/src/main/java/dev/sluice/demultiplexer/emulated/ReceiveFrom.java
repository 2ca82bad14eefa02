package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.operation.Datagram;
import dev.sluice.system.OperatingSystem;

/** Receives a datagram. */
final class ReceiveFrom extends Move {

    private final OperatingSystem system;

    ReceiveFrom(Emulation emulation, Datagram asked, OperatingSystem system) {
        super(emulation, asked, EventType.READ);
        this.system = system;
    }

    @Override
    long call() {
        return system.receiveMessage(descriptor(), memory().message(), memory().structure(), memory().messageAt());
    }
}

package dev.sluice.mechanism.emulated;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.system.OperatingSystem;

/** Receives a datagram. */
final class ReceiveFrom extends Move {

    private final OperatingSystem system;

    ReceiveFrom(Emulation emulation, OperatingSystem system) {
        super(emulation, EventType.READ);
        this.system = system;
    }

    @Override
    long call(NativeOperation operation) {
        // The message is in the same memory.
        int at = operation.structureAt() - (int) (operation.structureAddress() - operation.message());
        return system.receiveMessage(operation.descriptor(), operation.message(), operation.structure(), at);
    }
}

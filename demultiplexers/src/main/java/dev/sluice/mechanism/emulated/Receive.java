package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.NativeOperation;

/** Receives into the initiator's buffers. */
final class Receive extends Move {

    private final Posix posix;

    Receive(Emulation emulation, Posix posix) {
        super(emulation, EventType.READ);
        this.posix = posix;
    }

    @Override
    long call(NativeOperation operation) {
        return operation.isVectored()
                ? posix.recvmsg(descriptor(operation), operation.message(), 0)
                : posix.recv(descriptor(operation), operation.address(), operation.nextLength(), 0);
    }
}

package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.NativeOperation;

/** Reads from a pipe or a terminal. */
final class ReadPipe extends Move {

    private final Posix posix;

    ReadPipe(Emulation emulation, Posix posix) {
        super(emulation, EventType.READ);
        this.posix = posix;
    }

    @Override
    long call(NativeOperation operation) {
        return posix.read(descriptor(operation), operation.address(), operation.nextLength());
    }
}

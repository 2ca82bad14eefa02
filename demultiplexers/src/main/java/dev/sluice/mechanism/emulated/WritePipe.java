package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.NativeOperation;

/** Writes to a pipe or a terminal; usually there is room, so it is tried at once. */
final class WritePipe extends Move {

    private final Posix posix;

    WritePipe(Emulation emulation, Posix posix) {
        super(emulation, EventType.WRITE);
        this.posix = posix;
    }

    @Override
    void begin(EmulatedOperation operation) {
        move(operation);
    }

    @Override
    long call(NativeOperation operation) {
        // The JVM ignores SIGPIPE, and so the call fails with EPIPE.
        return posix.write(descriptor(operation), operation.address(), operation.nextLength());
    }
}

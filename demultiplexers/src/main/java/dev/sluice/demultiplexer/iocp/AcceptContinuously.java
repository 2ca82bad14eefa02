package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.handle.SocketStream;
import dev.sluice.system.OperatingSystem;

/** Accepts one connection after the other. */
final class AcceptContinuously extends Accept {

    AcceptContinuously(OverlappedCalls calls, Accepting asked, OperatingSystem system) {
        super(calls, asked, system);
    }

    @Override
    boolean accepted(SocketStream stream) {
        outcomes().report(operation(), 0, stream);
        return true;
    }
}

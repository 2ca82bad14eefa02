package dev.sluice.mechanism.iocp;

import dev.sluice.handle.SocketStream;
import dev.sluice.system.OperatingSystem;

/** Accepts one connection after the other. */
final class AcceptContinuously extends Accept {

    AcceptContinuously(OverlappedCalls calls, OperatingSystem system) {
        super(calls, system);
    }

    @Override
    boolean accepted(IocpOperation operation, SocketStream stream) {
        outcomes().report(operation, 0, stream);
        return true;
    }
}

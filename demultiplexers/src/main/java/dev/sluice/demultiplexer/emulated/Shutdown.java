package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.ClosedHalf;

/** Closes one direction of a stream. The call does not block on any system. */
final class Shutdown extends Attempt<ClosedHalf> {

    Shutdown(Emulation emulation, ClosedHalf half) {
        super(emulation, half);
    }

    @Override
    protected void begin() {
        outcomes.complete(operation, perform());
    }

    @Override
    long call() {
        return emulation.system.shutdown(descriptor(),
                arguments.isOutput() ? SocketConstants.SHUT_WR : SocketConstants.SHUT_RD);
    }
}

package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.system.OperatingSystem;

/** Closes one direction of a stream, which on no system makes the caller wait. */
final class Shutdown extends Attempt {

    private final ClosedHalf half;
    private final OperatingSystem system;

    Shutdown(Emulation emulation, ClosedHalf half, OperatingSystem system) {
        super(emulation, half);
        this.half = half;
        this.system = system;
    }

    @Override
    protected void begin() {
        outcomes().complete(operation(), perform());
    }

    @Override
    long call() {
        return system.shutdown(descriptor(), half.isOutput() ? SocketConstants.SHUT_WR : SocketConstants.SHUT_RD);
    }
}

package dev.sluice.mechanism.emulated;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.system.OperatingSystem;

/** Closes one direction of a stream, which on no system makes the caller wait. */
final class Shutdown extends Execution {

    private final OperatingSystem system;

    Shutdown(Emulation emulation, OperatingSystem system) {
        super(emulation);
        this.system = system;
    }

    @Override
    void begin(EmulatedOperation operation) {
        outcomes().complete(operation, perform(operation));
    }

    @Override
    long call(NativeOperation operation) {
        return system.shutdown(descriptor(operation),
                operation.shutsDownOutput() ? SocketConstants.SHUT_WR : SocketConstants.SHUT_RD);
    }
}

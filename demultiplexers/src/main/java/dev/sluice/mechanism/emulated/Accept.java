package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketStream;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.system.OperatingSystem;

/** Accepts one connection, or one after the other. */
final class Accept extends Execution {

    private final OperatingSystem system;
    private final boolean continuously;

    Accept(Emulation emulation, OperatingSystem system, boolean continuously) {
        super(emulation);
        this.system = system;
        this.continuously = continuously;
    }

    @Override
    void begin(EmulatedOperation operation) {
        emulation().await(operation, EventType.READ);
    }

    @Override
    long call(NativeOperation operation) {
        return system.accept(descriptor(operation), 0, 0);
    }

    @Override
    boolean ready(EmulatedOperation operation, int came) {
        for (int i = 0; i < Emulation.ATTEMPTS_PER_TURN; i++) {
            long result = perform(operation);
            if (result >= 0) {
                if (accepted(operation, operation.adoptStream(result))) {
                    return true;
                }
            } else if (Errno.EAGAIN.is(result)) {
                break;
            } else if (ErrorScope.ofAccept(Errno.of(result)) != ErrorScope.PEER) {
                outcomes().complete(operation, result);
                return true;
            }
        }
        emulation().await(operation, EventType.READ);
        return true;
    }

    /** {@return whether that was the last one; not so if the stream is null, because there was no memory for it} */
    private boolean accepted(EmulatedOperation operation, SocketStream stream) {
        if (stream == null) {
            return false;
        }
        if (continuously) {
            outcomes().report(operation, 0, stream);
        } else {
            outcomes().complete(operation, 0, stream);
        }
        return !continuously;
    }
}

package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.NativeOperation;

/** Connects a stream socket. */
final class Connect extends Execution {

    private final Posix posix;

    Connect(Emulation emulation, Posix posix) {
        super(emulation);
        this.posix = posix;
    }

    @Override
    void begin(EmulatedOperation operation) {
        long result = perform(operation);
        // If interrupted, the attempt still goes on (connect(2)).
        if (Errno.EINPROGRESS.is(result) || Errno.EINTR.is(result)) {
            emulation().await(operation, EventType.WRITE);
        } else {
            outcomes().complete(operation, result);
        }
    }

    @Override
    long call(NativeOperation operation) {
        return posix.connect(descriptor(operation), operation.address(), operation.nextLength());
    }

    @Override
    boolean repeatsAfterSignal() {
        return false;
    }

    @Override
    boolean ready(EmulatedOperation operation, int came) {
        outcomes().complete(operation, outcome(operation));
        return true;
    }

    /** {@return the outcome of an attempt that is over: 0, or a negated error number} */
    private int outcome(NativeOperation operation) {
        int at = operation.structureAt();
        operation.structure().putInt(at, 0).putInt(at + Integer.BYTES, Integer.BYTES);
        int result = posix.getsockopt(descriptor(operation), SocketConstants.SOL_SOCKET, SocketConstants.SO_ERROR,
                operation.structureAddress(), operation.structureAddress() + Integer.BYTES);
        return result < 0 ? result : -operation.structure().getInt(at);
    }
}

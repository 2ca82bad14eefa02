package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.NativeOperation;

/** Sends what buffers hold, or a datagram; usually there is room, so it is tried at once. */
final class Send extends Move {

    private final Posix posix;

    Send(Emulation emulation, Posix posix) {
        super(emulation, EventType.WRITE);
        this.posix = posix;
    }

    @Override
    void begin(EmulatedOperation operation) {
        move(operation);
    }

    @Override
    long call(NativeOperation operation) {
        return operation.isVectored()
                ? posix.sendmsg(descriptor(operation), operation.message(), SocketConstants.MSG_NOSIGNAL)
                : posix.send(descriptor(operation), operation.address(), operation.nextLength(),
                        SocketConstants.MSG_NOSIGNAL);
    }
}

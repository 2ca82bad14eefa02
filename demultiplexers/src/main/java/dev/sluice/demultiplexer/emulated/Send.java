package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.spi.EventType;

/** Sends the bytes of buffers, or a datagram. Attempted immediately, because the socket is usually writable. */
final class Send extends Move<Transfer> {

    Send(Emulation emulation, Transfer arguments) {
        super(emulation, arguments, EventType.WRITE);
    }

    @Override
    protected void begin() {
        move();
    }

    @Override
    long call() {
        return arguments.isVectored()
                ? emulation.posix.sendmsg(descriptor(), memory().message(), SocketConstants.MSG_NOSIGNAL)
                : emulation.posix.send(descriptor(), arguments.address(), arguments.length(),
                        SocketConstants.MSG_NOSIGNAL);
    }
}

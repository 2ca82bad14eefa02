package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.spi.EventType;

/** Sends the bytes of buffers, or a datagram. The socket is usually writable, so a send is attempted immediately. */
final class Send extends Move<Transfer> {

    Send(Emulation emulation, Transfer asked) {
        super(emulation, asked, EventType.WRITE);
    }

    @Override
    protected void begin() {
        move();
    }

    @Override
    long call() {
        return asked.isVectored()
                ? emulation.posix.sendmsg(descriptor(), memory().message(), SocketConstants.MSG_NOSIGNAL)
                : emulation.posix.send(descriptor(), asked.address(), asked.length(), SocketConstants.MSG_NOSIGNAL);
    }
}

package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.operation.Transfer;

/** Sends what buffers hold, or a datagram; usually there is room, so it is tried at once. */
final class Send extends Move {

    private final Transfer asked;
    private final Posix posix;

    Send(Emulation emulation, Transfer asked, Posix posix) {
        super(emulation, asked, EventType.WRITE);
        this.asked = asked;
        this.posix = posix;
    }

    @Override
    protected void begin() {
        move();
    }

    @Override
    long call() {
        return asked.isVectored()
                ? posix.sendmsg(descriptor(), memory().message(), SocketConstants.MSG_NOSIGNAL)
                : posix.send(descriptor(), asked.address(), asked.length(), SocketConstants.MSG_NOSIGNAL);
    }
}

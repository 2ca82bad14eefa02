package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.operation.Transfer;

/** Sends what buffers hold, or a datagram; usually there is room, so it is tried at once. */
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

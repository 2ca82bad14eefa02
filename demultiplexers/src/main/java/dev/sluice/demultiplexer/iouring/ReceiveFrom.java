package dev.sluice.demultiplexer.iouring;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.Datagram;

/** Receives a datagram and its sender's address. */
final class ReceiveFrom extends Receive {

    ReceiveFrom(Submissions submissions, Datagram asked) {
        super(submissions, asked);
    }

    @Override
    int flags() {
        return SocketConstants.MSG_TRUNC;
    }

    /** For a truncated datagram the kernel reports the full length. */
    @Override
    long most(int flags) {
        return ANY;
    }
}

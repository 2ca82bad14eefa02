package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECVMSG;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.spi.EventType;

/** Receives into the initiator's buffers: bytes, or a datagram and its sender's address. */
final class Receive extends Request<Transfer> {

    private final boolean datagram;

    Receive(Requests requests, Transfer asked, boolean datagram) {
        super(requests, asked);
        this.datagram = datagram;
    }

    @Override
    void perform() {
        if (asked.isVectored()) {
            setMessage(IORING_OP_RECVMSG, datagram ? SocketConstants.MSG_TRUNC : 0);
        } else {
            set(IORING_OP_RECV, 0, asked.address(), asked.length(), 0);
        }
    }

    /** For a truncated datagram the kernel reports the full length. */
    @Override
    long most(int flags) {
        return datagram ? ANY : super.most(flags);
    }

    @Override
    int awaitedEvent() {
        return EventType.READ;
    }
}

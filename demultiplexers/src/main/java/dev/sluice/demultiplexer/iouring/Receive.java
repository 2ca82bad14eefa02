package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECVMSG;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.spi.EventType;

/** Receives into buffers of the program: bytes, or a datagram and the address of its sender. */
final class Receive extends Request<Transfer> {

    private final boolean datagram;

    Receive(Requests requests, Transfer arguments, boolean datagram) {
        super(requests, arguments);
        this.datagram = datagram;
    }

    @Override
    void perform() {
        if (arguments.isVectored()) {
            setMessage(IORING_OP_RECVMSG, datagram ? SocketConstants.MSG_TRUNC : 0);
        } else {
            set(IORING_OP_RECV, 0, arguments.address(), arguments.length(), 0);
        }
    }

    /** {@inheritDoc} For a truncated datagram the kernel reports the full length. */
    @Override
    long maxResult(int flags) {
        return datagram ? ANY : super.maxResult(flags);
    }

    @Override
    int awaitedEvent() {
        return EventType.READ;
    }
}

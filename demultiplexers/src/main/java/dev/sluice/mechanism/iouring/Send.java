package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import java.nio.ByteBuffer;

/** Sends what buffers hold. */
class Send extends Request {

    Send(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        if (operation.isVectored()) {
            setMessage(operation, entries, at, IORING_OP_SENDMSG, flags(operation));
        } else {
            set(operation, entries, at, IORING_OP_SEND, 0, operation.address(), operation.nextLength(),
                    flags(operation));
        }
    }

    static int flags(IoUringOperation operation) {
        // MSG_WAITALL makes the kernel itself go on after a short send (io_uring_enter(2), since 5.19).
        return SocketConstants.MSG_NOSIGNAL | (operation.wantsAll() ? SocketConstants.MSG_WAITALL : 0);
    }

    @Override
    final int awaitedEvent(IoUringOperation operation) {
        return EventType.WRITE;
    }
}

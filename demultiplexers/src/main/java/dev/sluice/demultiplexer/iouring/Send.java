package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.operation.Transfer;
import java.nio.ByteBuffer;

/** Sends what buffers hold, or a datagram. */
class Send extends Request {

    private final Transfer asked;

    Send(Submissions submissions, Transfer asked) {
        super(submissions, asked);
        this.asked = asked;
    }

    final Transfer asked() {
        return asked;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        if (asked.isVectored()) {
            setMessage(entries, at, IORING_OP_SENDMSG, flags());
        } else {
            set(entries, at, IORING_OP_SEND, 0, asked.address(), asked.length(), flags());
        }
    }

    final int flags() {
        // MSG_WAITALL makes the kernel itself go on after a short send (io_uring_enter(2), since 5.19).
        return SocketConstants.MSG_NOSIGNAL | (asked.wantsAll() ? SocketConstants.MSG_WAITALL : 0);
    }

    @Override
    final int awaitedEvent() {
        return EventType.WRITE;
    }
}

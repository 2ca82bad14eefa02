package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECVMSG;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.operation.Transfer;
import java.nio.ByteBuffer;

/** Receives into the initiator's buffers. */
class Receive extends Request {

    private final Transfer asked;

    Receive(Submissions submissions, Transfer asked) {
        super(submissions, asked);
        this.asked = asked;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        if (asked.isVectored()) {
            setMessage(entries, at, IORING_OP_RECVMSG, flags());
        } else {
            set(entries, at, IORING_OP_RECV, 0, asked.address(), asked.length(), 0);
        }
    }

    /** {@return the flags of a receive of a message} */
    int flags() {
        return 0;
    }

    @Override
    final int awaitedEvent() {
        return EventType.READ;
    }
}

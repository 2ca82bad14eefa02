package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECVMSG;

import dev.sluice.demultiplexer.EventType;
import java.nio.ByteBuffer;

/** Receives into the initiator's buffers. */
final class Receive extends Request {

    Receive(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        if (operation.isVectored()) {
            setMessage(operation, entries, at, IORING_OP_RECVMSG, 0);
        } else {
            set(operation, entries, at, IORING_OP_RECV, 0, operation.address(), operation.nextLength(), 0);
        }
    }

    @Override
    int awaitedEvent(IoUringOperation operation) {
        return EventType.READ;
    }
}

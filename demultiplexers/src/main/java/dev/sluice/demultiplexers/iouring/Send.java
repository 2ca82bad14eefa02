package dev.sluice.demultiplexers.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import java.nio.ByteBuffer;

/** Sends what buffers hold. */
class Send extends Request {

    private final Posix posix = Bindings.current().posix();

    Send(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    boolean canBeCalled(IoUringOperation operation) {
        return !operation.isVectored();
    }

    @Override
    final int call(IoUringOperation operation) {
        return (int) posix.send((int) operation.descriptor(), operation.address(), operation.nextLength(),
                SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_DONTWAIT);
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
        // MSG_WAITALL has the kernel itself go on after a short send (io_uring_enter(2), since 5.19).
        return SocketConstants.MSG_NOSIGNAL | (operation.wantsAll() ? SocketConstants.MSG_WAITALL : 0);
    }

    @Override
    final int awaitedEvent(IoUringOperation operation) {
        return EventType.WRITE;
    }
}

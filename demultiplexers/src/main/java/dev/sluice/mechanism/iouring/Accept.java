package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ACCEPT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.IoUringConstants;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketStream;
import java.nio.ByteBuffer;

/** Accepts one connection. */
class Accept extends Request {

    Accept(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        set(operation, entries, at, IORING_OP_ACCEPT, 0, 0, 0,
                SocketConstants.SOCK_NONBLOCK | SocketConstants.SOCK_CLOEXEC);
    }

    @Override
    final int awaitedEvent(IoUringOperation operation) {
        return EventType.READ;
    }

    @Override
    long most(IoUringOperation operation, int flags) {
        return ANY;
    }

    @Override
    final void completed(IoUringOperation operation, int result, int flags) {
        boolean over = (flags & IoUringConstants.IORING_CQE_F_MORE) == 0;
        if (result >= 0) {
            accepted(operation, operation.adoptStream(result), over);
        } else if (ErrorScope.ofAccept(Errno.of(result)) != ErrorScope.PEER) {
            outcomes().complete(operation, result);
        } else if (over) {
            demultiplexer().resume(operation);
        }
    }

    /** A connection has been accepted; the stream is null if there was no memory for it. */
    void accepted(IoUringOperation operation, SocketStream stream, boolean over) {
        if (stream != null) {
            outcomes().complete(operation, 0, stream);
        } else {
            demultiplexer().resume(operation);
        }
    }
}

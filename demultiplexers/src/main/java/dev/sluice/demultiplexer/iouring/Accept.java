package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ACCEPT;

import dev.sluice.calls.layout.IoUringConstants;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketStream;
import java.nio.ByteBuffer;

/** Accepts one connection. */
class Accept extends Request {

    private final Accepting asked;

    Accept(Submissions submissions, Accepting asked) {
        super(submissions, asked);
        this.asked = asked;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        set(entries, at, IORING_OP_ACCEPT, 0, 0, 0, SocketConstants.SOCK_NONBLOCK | SocketConstants.SOCK_CLOEXEC);
    }

    @Override
    final int awaitedEvent() {
        return EventType.READ;
    }

    @Override
    long most(int flags) {
        return ANY;
    }

    @Override
    final void complete(int result, int flags) {
        boolean over = (flags & IoUringConstants.IORING_CQE_F_MORE) == 0;
        if (result >= 0) {
            accepted(asked.adopt(result), over);
        } else if (ErrorScope.ofAccept(result) != ErrorScope.PEER) {
            outcomes().complete(operation(), result);
        } else if (over) {
            resume();
        }
    }

    /** A connection has been accepted; the stream is null if there was no memory for it. */
    void accepted(SocketStream stream, boolean over) {
        if (stream != null) {
            outcomes().complete(operation(), 0, stream);
        } else {
            resume();
        }
    }
}

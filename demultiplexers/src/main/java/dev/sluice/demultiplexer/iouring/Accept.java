package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_ACCEPT_MULTISHOT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_MORE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ACCEPT;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketStream;
import org.jspecify.annotations.Nullable;

/** Accepts one connection, or connections continuously, by a single request if the kernel supports that. */
final class Accept extends Request<Accepting> {

    private final boolean continuously;

    Accept(Requests requests, Accepting arguments, boolean continuously) {
        super(requests, arguments);
        this.continuously = continuously;
    }

    @Override
    void perform() {
        set(IORING_OP_ACCEPT, 0, 0, 0, SocketConstants.SOCK_NONBLOCK | SocketConstants.SOCK_CLOEXEC);
        if (continuously && requests.features.multishotAccept()) {
            requests.ring.setIoprio(IORING_ACCEPT_MULTISHOT);
        }
    }

    @Override
    int awaitedEvent() {
        return EventType.READ;
    }

    @Override
    long maxResult(int flags) {
        return ANY;
    }

    @Override
    void complete(int result, int flags) {
        boolean over = (flags & IORING_CQE_F_MORE) == 0;
        if (result >= 0) {
            accepted(arguments.adopt(result), over);
        } else if (ErrorScope.ofAccept(result) != ErrorScope.PEER) {
            outcomes.complete(operation, result);
        } else if (over) {
            resume();
        }
    }

    /** Reports an accepted connection; the stream is null if there was no memory for it. */
    private void accepted(@Nullable SocketStream stream, boolean over) {
        if (stream != null && !continuously) {
            outcomes.complete(operation, 0, stream);
            return;
        }
        if (stream != null) {
            outcomes.report(operation, 0, stream);
        }
        if (over) {
            resume();
        }
    }
}

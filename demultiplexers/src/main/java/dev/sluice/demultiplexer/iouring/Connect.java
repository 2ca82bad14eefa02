package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CONNECT;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.spi.EventType;

/**
 * Connects. For a Unix domain socket, EAGAIN means that the peer's backlog is full (connect(2)): nothing to wait for.
 */
final class Connect extends Request<Peer> {

    /** Whether an earlier request, of a thread that has ended, has begun to connect. */
    private boolean begun;

    Connect(Requests requests, Peer asked) {
        super(requests, asked);
    }

    @Override
    void perform() {
        set(IORING_OP_CONNECT, asked.length(), asked.address(), 0, 0);
    }

    @Override
    int awaitedEvent() {
        return begun ? EventType.WRITE : 0;
    }

    @Override
    void complete(int result, int flags) {
        begun = requests.outlivesThreads && Errno.EALREADY.is(result);
        if (begun) {
            pollAndResume();
        } else {
            super.complete(result, flags);
        }
    }
}

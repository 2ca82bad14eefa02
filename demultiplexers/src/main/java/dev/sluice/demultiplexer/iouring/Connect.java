package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CONNECT;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.spi.EventType;

/**
 * Connects a stream socket. For a Unix domain socket, EAGAIN means that the backlog of the peer is full (connect(2)),
 * and there is no event to wait for.
 */
final class Connect extends Request<Peer> {

    /** Whether an earlier request, which was dropped because its thread had terminated, has begun to connect. */
    private boolean begun;

    Connect(Requests requests, Peer arguments) {
        super(requests, arguments);
    }

    @Override
    void perform() {
        set(IORING_OP_CONNECT, arguments.length(), arguments.address(), 0, 0);
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

    @Override
    protected boolean releaseBorrowed() {
        // The next start of the operation may be for another socket.
        begun = false;
        return super.releaseBorrowed();
    }
}

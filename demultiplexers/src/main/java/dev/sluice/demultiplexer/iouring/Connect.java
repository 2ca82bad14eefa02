package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CONNECT;

import dev.sluice.demultiplexer.operation.Peer;

/**
 * Connects. For a Unix domain socket, EAGAIN means that the peer's backlog is full (connect(2)): nothing to wait for.
 */
final class Connect extends Request<Peer> {

    Connect(IoUringDemultiplexer demultiplexer, Peer asked) {
        super(demultiplexer, asked);
    }

    @Override
    void perform() {
        set(IORING_OP_CONNECT, asked.length(), asked.address(), 0, 0);
    }
}

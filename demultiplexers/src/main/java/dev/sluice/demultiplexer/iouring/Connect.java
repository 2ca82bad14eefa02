package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CONNECT;

import dev.sluice.demultiplexer.operation.Peer;
import java.nio.ByteBuffer;

/**
 * Connects. For a Unix domain socket, EAGAIN means that the peer's backlog is full (connect(2)): nothing to wait for.
 */
final class Connect extends Request {

    private final Peer peer;

    Connect(Submissions submissions, Peer peer) {
        super(submissions, peer);
        this.peer = peer;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        set(entries, at, IORING_OP_CONNECT, peer.length(), peer.address(), 0, 0);
    }
}

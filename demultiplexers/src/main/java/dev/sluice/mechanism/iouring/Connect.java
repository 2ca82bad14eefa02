package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CONNECT;

import java.nio.ByteBuffer;

/**
 * Connects. For a Unix domain socket, EAGAIN means that the peer's backlog is full (connect(2)): nothing to wait for.
 */
final class Connect extends Request {

    Connect(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        set(operation, entries, at, IORING_OP_CONNECT, operation.nextLength(), operation.address(), 0, 0);
    }
}

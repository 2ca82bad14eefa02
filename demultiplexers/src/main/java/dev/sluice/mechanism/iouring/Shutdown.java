package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SHUTDOWN;

import dev.sluice.calls.layout.SocketConstants;
import java.nio.ByteBuffer;

/** Closes one direction of a stream. */
final class Shutdown extends Request {

    Shutdown(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        set(operation, entries, at, IORING_OP_SHUTDOWN, 0, 0,
                operation.shutsDownOutput() ? SocketConstants.SHUT_WR : SocketConstants.SHUT_RD, 0);
    }
}

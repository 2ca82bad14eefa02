package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SHUTDOWN;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import java.nio.ByteBuffer;

/** Closes one direction of a stream. */
final class Shutdown extends Request {

    private final ClosedHalf half;

    Shutdown(Submissions submissions, ClosedHalf half) {
        super(submissions, half);
        this.half = half;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        set(entries, at, IORING_OP_SHUTDOWN, 0, 0,
                half.isOutput() ? SocketConstants.SHUT_WR : SocketConstants.SHUT_RD, 0);
    }
}

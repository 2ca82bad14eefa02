package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SHUTDOWN;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.ClosedHalf;

/** Closes one direction of a stream. */
final class Shutdown extends Request<ClosedHalf> {

    Shutdown(Requests requests, ClosedHalf arguments) {
        super(requests, arguments);
    }

    @Override
    void perform() {
        set(IORING_OP_SHUTDOWN, 0, 0, arguments.isOutput() ? SocketConstants.SHUT_WR : SocketConstants.SHUT_RD, 0);
    }
}

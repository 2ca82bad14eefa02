package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_FSYNC_DATASYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITEV;

import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.demultiplexer.operation.Delay;
import dev.sluice.demultiplexer.operation.Events;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.operation.Transmission;

/** The table of kinds: how each type of operation is requested, in the best form that the running kernel supports. */
final class Kinds {

    private Kinds() {
    }

    static Request<?> newRequest(Requests requests, Arguments asked) {
        return switch (asked.type()) {
            case ACCEPT -> new Accept(requests, (Accepting) asked, false);
            case ACCEPT_CONTINUOUSLY -> new Accept(requests, (Accepting) asked, true);
            case CONNECT -> new Connect(requests, (Peer) asked);
            case RECEIVE -> new Receive(requests, (Transfer) asked, false);
            case RECEIVE_CONTINUOUSLY -> requests.bufferRing == null ? new RepeatedReceive(requests, asked)
                    : new MultishotReceive(requests, asked);
            case SEND, SEND_TO -> new Send(requests, (Transfer) asked);
            case RECEIVE_FROM -> new Receive(requests, (Transfer) asked, true);
            case TRANSMIT_FILE -> new TransmitFile(requests, (Transmission) asked);
            case SHUTDOWN -> new Shutdown(requests, (ClosedHalf) asked);
            case POLL -> new Poll(requests, (Events) asked);
            case OPEN -> new Open(requests, (Opening) asked);
            case READ -> new FileTransfer(requests, (Transfer) asked, IORING_OP_READ, IORING_OP_READV);
            case WRITE -> new FileTransfer(requests, (Transfer) asked, IORING_OP_WRITE, IORING_OP_WRITEV);
            case FORCE -> new Force(requests, asked, 0);
            case FORCE_DATA -> new Force(requests, asked, IORING_FSYNC_DATASYNC);
            case CLOSE -> new Close(requests, asked);
            case TIMEOUT -> new Timeout(requests, (Delay) asked);
            case POST -> throw new IllegalStateException("no request of the kernel's: " + asked.operation());
        };
    }
}

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

    static Request<?> newRequest(IoUringDemultiplexer demultiplexer, Arguments asked) {
        return switch (asked.type()) {
            case ACCEPT -> new Accept(demultiplexer, (Accepting) asked, false);
            case ACCEPT_CONTINUOUSLY -> new Accept(demultiplexer, (Accepting) asked, true);
            case CONNECT -> new Connect(demultiplexer, (Peer) asked);
            case RECEIVE -> new Receive(demultiplexer, (Transfer) asked, false);
            case RECEIVE_CONTINUOUSLY -> demultiplexer.bufferRing == null ? new RepeatedReceive(demultiplexer, asked)
                    : new MultishotReceive(demultiplexer, asked);
            case SEND, SEND_TO -> new Send(demultiplexer, (Transfer) asked);
            case RECEIVE_FROM -> new Receive(demultiplexer, (Transfer) asked, true);
            case TRANSMIT_FILE -> new TransmitFile(demultiplexer, (Transmission) asked);
            case SHUTDOWN -> new Shutdown(demultiplexer, (ClosedHalf) asked);
            case POLL -> new Poll(demultiplexer, (Events) asked);
            case OPEN -> new Open(demultiplexer, (Opening) asked);
            case READ -> new FileTransfer(demultiplexer, (Transfer) asked, IORING_OP_READ, IORING_OP_READV);
            case WRITE -> new FileTransfer(demultiplexer, (Transfer) asked, IORING_OP_WRITE, IORING_OP_WRITEV);
            case FORCE -> new Force(demultiplexer, asked, 0);
            case FORCE_DATA -> new Force(demultiplexer, asked, IORING_FSYNC_DATASYNC);
            case CLOSE -> new Close(demultiplexer, asked);
            case TIMEOUT -> new Timeout(demultiplexer, (Delay) asked);
            case POST -> throw new IllegalStateException("no request of the kernel's: " + asked.operation());
        };
    }
}

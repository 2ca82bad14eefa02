package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_FSYNC_DATASYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITEV;

import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.demultiplexer.operation.Closing;
import dev.sluice.demultiplexer.operation.Datagram;
import dev.sluice.demultiplexer.operation.Delay;
import dev.sluice.demultiplexer.operation.Events;
import dev.sluice.demultiplexer.operation.FreeBuffers;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.operation.Transmission;

/** The table of kinds: how each type of operation is requested, in the best form that the running kernel supports. */
final class Kinds {

    private final Submissions submissions;
    private final Features features;
    private final int zeroCopyFrom;
    private final BufferRing rings;
    private final FreeBuffers freeBuffers;
    private final PipePool pipes;

    /**
     * Makes the table.
     *
     * @param submissions  where requests are put
     * @param features     the features of the kernel
     * @param zeroCopyFrom the smallest number of bytes that is sent without a copy
     * @param rings        the buffers from which the kernel chooses, null if it cannot
     * @param freeBuffers  the buffers otherwise
     * @param pipes        for transmissions
     */
    Kinds(Submissions submissions, Features features, int zeroCopyFrom, BufferRing rings, FreeBuffers freeBuffers,
            PipePool pipes) {
        this.submissions = submissions;
        this.features = features;
        this.zeroCopyFrom = zeroCopyFrom;
        this.rings = rings;
        this.freeBuffers = freeBuffers;
        this.pipes = pipes;
    }

    Request newRequest(Arguments asked) {
        return switch (asked.type()) {
            case ACCEPT -> new Accept(submissions, (Accepting) asked);
            case ACCEPT_CONTINUOUSLY -> new AcceptContinuously(submissions, (Accepting) asked,
                    features.multishotAccept());
            case CONNECT -> new Connect(submissions, (Peer) asked);
            case RECEIVE -> new Receive(submissions, (Transfer) asked);
            case RECEIVE_CONTINUOUSLY -> rings == null ? new RepeatedReceive(submissions, asked, freeBuffers)
                    : new MultishotReceive(submissions, asked, rings);
            case SEND -> features.zeroCopySend() ? new ZeroCopySend(submissions, (Transfer) asked, zeroCopyFrom)
                    : new Send(submissions, (Transfer) asked);
            case RECEIVE_FROM -> new ReceiveFrom(submissions, (Datagram) asked);
            case SEND_TO -> new Send(submissions, (Datagram) asked);
            case TRANSMIT_FILE -> new TransmitFile(submissions, (Transmission) asked, pipes);
            case SHUTDOWN -> new Shutdown(submissions, (ClosedHalf) asked);
            case POLL -> new Poll(submissions, (Events) asked);
            case OPEN -> new Open(submissions, (Opening) asked);
            case READ -> new FileTransfer(submissions, (Transfer) asked, IORING_OP_READ, IORING_OP_READV);
            case WRITE -> new FileTransfer(submissions, (Transfer) asked, IORING_OP_WRITE, IORING_OP_WRITEV);
            case FORCE -> new Force(submissions, asked, 0);
            case FORCE_DATA -> new Force(submissions, asked, IORING_FSYNC_DATASYNC);
            case CLOSE -> new Close(submissions, (Closing) asked);
            case TIMEOUT -> new Timeout(submissions, (Delay) asked);
            case POST -> throw new IllegalStateException("no request of the kernel's: " + asked.operation());
        };
    }
}

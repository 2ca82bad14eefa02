package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_FSYNC_DATASYNC;

import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.demultiplexer.operation.Copying;
import dev.sluice.demultiplexer.operation.Delay;
import dev.sluice.demultiplexer.operation.Events;
import dev.sluice.demultiplexer.operation.FileRange;
import dev.sluice.demultiplexer.operation.ForcedTransfer;
import dev.sluice.demultiplexer.operation.Locking;
import dev.sluice.demultiplexer.operation.Naming;
import dev.sluice.demultiplexer.operation.NewLength;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.operation.StatusQuery;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.operation.Transmission;

/** The table of kinds: the request of each type of operation, in the best form that the running kernel supports. */
final class Kinds {

    private Kinds() {
    }

    static Request<?> newRequest(Requests requests, Arguments arguments) {
        return switch (arguments.type()) {
            case ACCEPT -> new Accept(requests, (Accepting) arguments, false);
            case ACCEPT_CONTINUOUSLY -> new Accept(requests, (Accepting) arguments, true);
            case CONNECT -> new Connect(requests, (Peer) arguments);
            case RECEIVE -> new Receive(requests, (Transfer) arguments, false);
            case RECEIVE_CONTINUOUSLY -> requests.bufferRing == null ? new RepeatedReceive(requests, arguments)
                    : new MultishotReceive(requests, arguments, requests.bufferRing);
            case SEND, SEND_TO -> new Send(requests, (Transfer) arguments);
            case RECEIVE_FROM -> new Receive(requests, (Transfer) arguments, true);
            case TRANSMIT_FILE -> new TransmitFile(requests, (Transmission) arguments);
            case SHUTDOWN -> new Shutdown(requests, (ClosedHalf) arguments);
            case POLL -> new Poll(requests, (Events) arguments);
            case OPEN -> new Open(requests, (Opening) arguments);
            case READ, WRITE -> new FileTransfer(requests, (Transfer) arguments);
            case WRITE_AND_FORCE_DATA -> new WriteAndForce(requests, (ForcedTransfer) arguments);
            case FORCE -> new Force(requests, arguments, 0);
            case FORCE_DATA -> new Force(requests, arguments, IORING_FSYNC_DATASYNC);
            case ALLOCATE, PUNCH_HOLE, PREFETCH, EVICT, WRITE_BACK -> new Range(requests, (FileRange) arguments);
            case TRUNCATE -> new Truncate(requests, (NewLength) arguments);
            case COPY -> new Copy(requests, (Copying) arguments);
            case LOCK, TRY_LOCK -> new Lock(requests, (Locking) arguments);
            case STATUS -> new Status(requests, (StatusQuery) arguments);
            case RENAME, RENAME_UNLESS_EXISTS, EXCHANGE, LINK, DELETE, CREATE_DIRECTORY, DELETE_DIRECTORY ->
                    new Names(requests, (Naming) arguments);
            case FORCE_DIRECTORY -> new ForceDirectory(requests, (Naming) arguments);
            case CLOSE -> new Close(requests, arguments);
            case TIMEOUT -> new Timeout(requests, (Delay) arguments);
            case POST -> throw new IllegalStateException("not executed by the kernel: " + arguments.operation());
        };
    }
}

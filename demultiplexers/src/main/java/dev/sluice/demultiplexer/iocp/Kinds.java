package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.demultiplexer.operation.Closing;
import dev.sluice.demultiplexer.operation.Copying;
import dev.sluice.demultiplexer.operation.Datagram;
import dev.sluice.demultiplexer.operation.Delay;
import dev.sluice.demultiplexer.operation.Events;
import dev.sluice.demultiplexer.operation.ForcedTransfer;
import dev.sluice.demultiplexer.operation.Locking;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.operation.Transmission;

/** The table of kinds: how each type of operation is requested. */
final class Kinds {

    private Kinds() {
    }

    static Request<?> newRequest(IocpDemultiplexer demultiplexer, Arguments arguments) {
        return switch (arguments.type()) {
            case ACCEPT -> new Accept(demultiplexer, (Accepting) arguments, false);
            case ACCEPT_CONTINUOUSLY -> new Accept(demultiplexer, (Accepting) arguments, true);
            case CONNECT -> new Connect(demultiplexer, (Peer) arguments);
            case RECEIVE -> new Receive(demultiplexer, (Transfer) arguments);
            case RECEIVE_CONTINUOUSLY -> new ReceiveContinuously(demultiplexer, arguments);
            case SEND -> new Send(demultiplexer, (Transfer) arguments);
            case RECEIVE_FROM -> new ReceiveFrom(demultiplexer, (Datagram) arguments);
            case SEND_TO -> new SendTo(demultiplexer, (Datagram) arguments);
            case TRANSMIT_FILE -> new TransmitFile(demultiplexer, (Transmission) arguments);
            case SHUTDOWN -> new Shutdown(demultiplexer, (ClosedHalf) arguments);
            case POLL -> new Poll(demultiplexer, (Events) arguments);
            case OPEN -> new Open(demultiplexer, (Opening) arguments);
            case READ -> new FileTransfer(demultiplexer, (Transfer) arguments, false);
            case WRITE -> new FileTransfer(demultiplexer, (Transfer) arguments, true);
            case WRITE_AND_FORCE_DATA -> new WriteAndForce(demultiplexer, (ForcedTransfer) arguments);
            case FORCE -> new DescriptorCall(demultiplexer, arguments, demultiplexer.system::force);
            case FORCE_DATA -> new DescriptorCall(demultiplexer, arguments, demultiplexer.system::forceData);
            case ALLOCATE, PUNCH_HOLE, PREFETCH, EVICT, WRITE_BACK -> new DescriptorCall(demultiplexer, arguments,
                    descriptor -> arguments.makeCall());
            case TRUNCATE -> new DescriptorCall(demultiplexer, arguments, descriptor -> arguments.makeCall());
            case COPY -> new Copy(demultiplexer, (Copying) arguments);
            case LOCK, TRY_LOCK -> new Lock(demultiplexer, (Locking) arguments);
            case CLOSE -> new DescriptorCall(demultiplexer, arguments,
                    descriptor -> demultiplexer.system.close(descriptor, ((Closing) arguments).isOfSocket()));
            case TIMEOUT -> new Timeout(demultiplexer, (Delay) arguments);
            case STATUS, RENAME, RENAME_UNLESS_EXISTS, EXCHANGE, LINK, DELETE, CREATE_DIRECTORY, DELETE_DIRECTORY,
                    FORCE_DIRECTORY -> throw new IllegalStateException("not on Windows: " + arguments.operation());
            case POST -> throw new IllegalStateException("not executed by a call: " + arguments.operation());
        };
    }
}

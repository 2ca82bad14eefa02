package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.demultiplexer.operation.Closing;
import dev.sluice.demultiplexer.operation.Datagram;
import dev.sluice.demultiplexer.operation.Delay;
import dev.sluice.demultiplexer.operation.Events;
import dev.sluice.demultiplexer.operation.ForcedTransfer;
import dev.sluice.demultiplexer.operation.Locking;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.operation.Transmission;

/** The table of kinds: how each type of operation is executed. */
final class Kinds {

    private Kinds() {
    }

    static Attempt<?> newAttempt(Emulation emulation, Arguments arguments) {
        return switch (arguments.type()) {
            case ACCEPT -> new Accept(emulation, (Accepting) arguments, false);
            case ACCEPT_CONTINUOUSLY -> new Accept(emulation, (Accepting) arguments, true);
            case CONNECT -> new Connect(emulation, (Peer) arguments);
            case RECEIVE -> new Receive(emulation, (Transfer) arguments);
            case RECEIVE_CONTINUOUSLY -> new ReceiveContinuously(emulation, arguments);
            case SEND, SEND_TO -> new Send(emulation, (Transfer) arguments);
            case RECEIVE_FROM -> new ReceiveFrom(emulation, (Datagram) arguments);
            case TRANSMIT_FILE -> new TransmitFile(emulation, (Transmission) arguments);
            case SHUTDOWN -> new Shutdown(emulation, (ClosedHalf) arguments);
            case POLL -> new Poll(emulation, (Events) arguments);
            case OPEN -> new Open(emulation, (Opening) arguments);
            case READ -> new FileTransfer(emulation, (Transfer) arguments, false);
            case WRITE -> new FileTransfer(emulation, (Transfer) arguments, true);
            case WRITE_AND_FORCE_DATA -> new WriteAndForce(emulation, (ForcedTransfer) arguments);
            case FORCE -> new DescriptorCall(emulation, arguments, emulation.system::force);
            case FORCE_DATA -> new DescriptorCall(emulation, arguments, emulation.system::forceData);
            case ALLOCATE, PUNCH_HOLE, PREFETCH, EVICT, WRITE_BACK, STATUS, RENAME, RENAME_UNLESS_EXISTS, EXCHANGE,
                    LINK, DELETE, CREATE_DIRECTORY, DELETE_DIRECTORY, FORCE_DIRECTORY ->
                    new FileCall(emulation, arguments);
            case TRUNCATE, COPY -> new DescriptorCall(emulation, arguments, descriptor -> arguments.makeCall());
            case LOCK, TRY_LOCK -> new Lock(emulation, (Locking) arguments);
            // The descriptor is closed even if the call fails (close(2)).
            case CLOSE -> new DescriptorCall(emulation, arguments,
                    descriptor -> emulation.system.close(descriptor, ((Closing) arguments).isOfSocket()));
            case TIMEOUT -> new Timeout(emulation, (Delay) arguments);
            case POST -> throw new IllegalStateException("not executed by a call: " + arguments.operation());
        };
    }
}

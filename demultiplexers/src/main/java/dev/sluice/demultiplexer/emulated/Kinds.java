package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.demultiplexer.operation.Closing;
import dev.sluice.demultiplexer.operation.Datagram;
import dev.sluice.demultiplexer.operation.Delay;
import dev.sluice.demultiplexer.operation.Events;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.operation.Transmission;

/** The table of kinds: how each type of operation is executed. */
final class Kinds {

    private Kinds() {
    }

    static Attempt<?> newAttempt(Emulation emulation, Arguments asked) {
        return switch (asked.type()) {
            case ACCEPT -> new Accept(emulation, (Accepting) asked, false);
            case ACCEPT_CONTINUOUSLY -> new Accept(emulation, (Accepting) asked, true);
            case CONNECT -> new Connect(emulation, (Peer) asked);
            case RECEIVE -> new Receive(emulation, (Transfer) asked);
            case RECEIVE_CONTINUOUSLY -> new ReceiveContinuously(emulation, asked);
            case SEND, SEND_TO -> new Send(emulation, (Transfer) asked);
            case RECEIVE_FROM -> new ReceiveFrom(emulation, (Datagram) asked);
            case TRANSMIT_FILE -> new TransmitFile(emulation, (Transmission) asked);
            case SHUTDOWN -> new Shutdown(emulation, (ClosedHalf) asked);
            case POLL -> new Poll(emulation, (Events) asked);
            case OPEN -> new Open(emulation, (Opening) asked);
            case READ -> new FileTransfer(emulation, (Transfer) asked, false);
            case WRITE -> new FileTransfer(emulation, (Transfer) asked, true);
            case FORCE -> new DescriptorCall(emulation, asked, emulation.system::force);
            case FORCE_DATA -> new DescriptorCall(emulation, asked, emulation.system::forceData);
            // The descriptor is gone whatever the system answers (close(2)).
            case CLOSE -> new DescriptorCall(emulation, asked,
                    descriptor -> emulation.system.close(descriptor, ((Closing) asked).isOfSocket()));
            case TIMEOUT -> new Timeout(emulation, (Delay) asked);
            case POST -> throw new IllegalStateException("no call of the system's: " + asked.operation());
        };
    }
}

package dev.sluice.demultiplexer.iocp;

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

/** The table of kinds: how each type of operation is requested. */
final class Kinds {

    private Kinds() {
    }

    static Request<?> newRequest(IocpDemultiplexer demultiplexer, Arguments asked) {
        return switch (asked.type()) {
            case ACCEPT -> new Accept(demultiplexer, (Accepting) asked, false);
            case ACCEPT_CONTINUOUSLY -> new Accept(demultiplexer, (Accepting) asked, true);
            case CONNECT -> new Connect(demultiplexer, (Peer) asked);
            case RECEIVE -> new Receive(demultiplexer, (Transfer) asked);
            case RECEIVE_CONTINUOUSLY -> new ReceiveContinuously(demultiplexer, asked);
            case SEND -> new Send(demultiplexer, (Transfer) asked);
            case RECEIVE_FROM -> new ReceiveFrom(demultiplexer, (Datagram) asked);
            case SEND_TO -> new SendTo(demultiplexer, (Datagram) asked);
            case TRANSMIT_FILE -> new TransmitFile(demultiplexer, (Transmission) asked);
            case SHUTDOWN -> new Shutdown(demultiplexer, (ClosedHalf) asked);
            case POLL -> new Poll(demultiplexer, (Events) asked);
            case OPEN -> new Open(demultiplexer, (Opening) asked);
            case READ -> new FileTransfer(demultiplexer, (Transfer) asked, false);
            case WRITE -> new FileTransfer(demultiplexer, (Transfer) asked, true);
            case FORCE -> new DescriptorCall(demultiplexer, asked, demultiplexer.system::force);
            case FORCE_DATA -> new DescriptorCall(demultiplexer, asked, demultiplexer.system::forceData);
            case CLOSE -> new DescriptorCall(demultiplexer, asked,
                    descriptor -> demultiplexer.system.close(descriptor, ((Closing) asked).isOfSocket()));
            case TIMEOUT -> new Timeout(demultiplexer, (Delay) asked);
            case POST -> throw new IllegalStateException("no call of the system's: " + asked.operation());
        };
    }
}

package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.demultiplexer.operation.Closing;
import dev.sluice.demultiplexer.operation.Datagram;
import dev.sluice.demultiplexer.operation.Deadlines;
import dev.sluice.demultiplexer.operation.Delay;
import dev.sluice.demultiplexer.operation.Events;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.FreeBuffers;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.operation.PooledBuffer;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.operation.Transmission;
import dev.sluice.system.OperatingSystem;

/** The table of kinds: how each type of operation is executed. */
final class Kinds {

    private final Emulation emulation;
    private final Posix posix;
    private final OperatingSystem system;
    private final Deadlines deadlines;
    private final FilePool files;
    private final FilePool opens;
    private final FreeBuffers freeBuffers = new FreeBuffers();

    Kinds(Emulation emulation, Binding binding, Deadlines deadlines, FilePool files, FilePool opens) {
        this.emulation = emulation;
        this.posix = binding.posix();
        this.system = OperatingSystem.of(binding);
        this.deadlines = deadlines;
        this.files = files;
        this.opens = opens;
    }

    Attempt newAttempt(Arguments asked) {
        return switch (asked.type()) {
            case ACCEPT -> new Accept(emulation, (Accepting) asked, system, false);
            case ACCEPT_CONTINUOUSLY -> new Accept(emulation, (Accepting) asked, system, true);
            case CONNECT -> new Connect(emulation, (Peer) asked, posix);
            case RECEIVE -> new Receive(emulation, (Transfer) asked, posix);
            case RECEIVE_CONTINUOUSLY -> new ReceiveContinuously(emulation, asked, posix, freeBuffers);
            case SEND -> new Send(emulation, (Transfer) asked, posix);
            case RECEIVE_FROM -> new ReceiveFrom(emulation, (Datagram) asked, system);
            case SEND_TO -> new Send(emulation, (Datagram) asked, posix);
            case TRANSMIT_FILE -> new TransmitFile(emulation, (Transmission) asked, files, system);
            case SHUTDOWN -> new Shutdown(emulation, (ClosedHalf) asked, system);
            case POLL -> new Poll(emulation, (Events) asked);
            case OPEN -> new Open(emulation, (Opening) asked, opens, system);
            case READ -> new FileTransfer(emulation, (Transfer) asked, files, posix, false);
            case WRITE -> new FileTransfer(emulation, (Transfer) asked, files, posix, true);
            case FORCE -> new Force(emulation, asked, files, system, false);
            case FORCE_DATA -> new Force(emulation, asked, files, system, true);
            case CLOSE -> new Close(emulation, (Closing) asked, files, system);
            case TIMEOUT -> new Timeout(emulation, (Delay) asked, deadlines);
            case POST -> throw new IllegalStateException("no call of the system's: " + asked.operation());
        };
    }

    /** Adds a buffer that can be received into. */
    void provide(PooledBuffer buffer) {
        freeBuffers.add(buffer);
    }
}

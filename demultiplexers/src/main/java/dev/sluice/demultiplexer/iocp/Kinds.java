package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.afd.AfdDriver;
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

/** The table of kinds: how each type of operation is requested. */
final class Kinds {

    private final OverlappedCalls calls;
    private final OperatingSystem system;
    private final AfdDriver driver;
    private final MemoryBlock sink;
    private final FilePool files;
    private final Deadlines deadlines;
    private final FreeBuffers freeBuffers = new FreeBuffers();

    /**
     * Makes the table.
     *
     * @param calls     the calls that most requests consist of
     * @param system    the operating system, in terms common to all systems
     * @param driver    for polls, tied to the port
     * @param sink      for {@link ReceiveFrom}
     * @param files     makes the calls that are not overlapped
     * @param deadlines holds the timeouts
     */
    Kinds(OverlappedCalls calls, OperatingSystem system, AfdDriver driver, MemoryBlock sink, FilePool files,
            Deadlines deadlines) {
        this.calls = calls;
        this.system = system;
        this.driver = driver;
        this.sink = sink;
        this.files = files;
        this.deadlines = deadlines;
    }

    Request newRequest(Arguments asked) {
        return switch (asked.type()) {
            case ACCEPT -> new Accept(calls, (Accepting) asked, system);
            case ACCEPT_CONTINUOUSLY -> new AcceptContinuously(calls, (Accepting) asked, system);
            case CONNECT -> new Connect(calls, (Peer) asked);
            case RECEIVE -> new Receive(calls, (Transfer) asked);
            case RECEIVE_CONTINUOUSLY -> new ReceiveContinuously(calls, asked, freeBuffers);
            case SEND -> new Send(calls, (Transfer) asked);
            case RECEIVE_FROM -> new ReceiveFrom(calls, (Datagram) asked, sink);
            case SEND_TO -> new SendTo(calls, (Datagram) asked);
            case TRANSMIT_FILE -> new TransmitFile(calls, (Transmission) asked);
            case SHUTDOWN -> new Shutdown(calls.outcomes(), (ClosedHalf) asked, calls.windows());
            case POLL -> new Poll(calls, (Events) asked, driver);
            case OPEN -> new Open(calls.outcomes(), (Opening) asked, files);
            case READ -> new Read(calls, (Transfer) asked);
            case WRITE -> new Write(calls, (Transfer) asked);
            case FORCE -> new Force(calls.outcomes(), asked, files, system, false);
            case FORCE_DATA -> new Force(calls.outcomes(), asked, files, system, true);
            case CLOSE -> new Close(calls.outcomes(), (Closing) asked, files, calls.windows());
            case TIMEOUT -> new Timeout(calls.outcomes(), (Delay) asked, deadlines);
            case POST -> throw new IllegalStateException("no call of the system's: " + asked.operation());
        };
    }

    /** Adds a buffer that can be received into. */
    void provide(PooledBuffer buffer) {
        freeBuffers.add(buffer);
    }
}

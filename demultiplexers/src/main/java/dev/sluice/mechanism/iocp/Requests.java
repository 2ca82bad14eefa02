package dev.sluice.mechanism.iocp;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.mechanism.afd.AfdDriver;
import dev.sluice.mechanism.operation.Deadlines;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.Outcomes;
import dev.sluice.system.OperatingSystem;

/** The request of each type of operation. */
final class Requests {

    private final Request[] ofTypes = new Request[OperationType.values().length];
    private final ReceiveContinuously receiving;

    /**
     * Makes the requests.
     *
     * @param calls     the calls that most of them consist of
     * @param system    the operating system, in terms common to all systems
     * @param driver    for polls, tied to the port
     * @param sink      for {@link ReceiveFrom}
     * @param files     makes the calls that are not overlapped
     * @param deadlines holds the timeouts
     */
    Requests(OverlappedCalls calls, OperatingSystem system, AfdDriver driver, MemoryBlock sink, FilePool files,
            Deadlines deadlines) {
        Outcomes outcomes = calls.outcomes();
        Windows windows = calls.windows();
        receiving = new ReceiveContinuously(calls);
        put(OperationType.ACCEPT, new Accept(calls, system));
        put(OperationType.ACCEPT_CONTINUOUSLY, new AcceptContinuously(calls, system));
        put(OperationType.CONNECT, new Connect(calls));
        put(OperationType.RECEIVE, new Receive(calls));
        put(OperationType.RECEIVE_CONTINUOUSLY, receiving);
        put(OperationType.SEND, new Send(calls));
        put(OperationType.RECEIVE_FROM, new ReceiveFrom(calls, sink));
        put(OperationType.SEND_TO, new SendTo(calls));
        put(OperationType.TRANSMIT_FILE, new TransmitFile(calls));
        put(OperationType.SHUTDOWN, new Shutdown(outcomes, windows));
        put(OperationType.POLL, new Poll(calls, driver));
        put(OperationType.OPEN, new Open(outcomes, files));
        put(OperationType.READ, new Read(calls));
        put(OperationType.WRITE, new Write(calls));
        put(OperationType.FORCE, new Force(outcomes, files, system));
        put(OperationType.CLOSE, new Close(outcomes, files, windows));
        put(OperationType.TIMEOUT, new Timeout(outcomes, deadlines));
    }

    private void put(OperationType type, Request request) {
        ofTypes[type.ordinal()] = request;
    }

    /** {@return the request of a type that needs one} */
    Request of(OperationType type) {
        return ofTypes[type.ordinal()];
    }

    /** {@return the one that must be provided with buffers} */
    ReceiveContinuously receiving() {
        return receiving;
    }
}

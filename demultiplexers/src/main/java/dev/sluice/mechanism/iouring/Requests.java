package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECVMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITEV;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.OperationType;

/** The request of each type of operation, in the best form that the running kernel supports. */
final class Requests {

    private final Request[] ofTypes = new Request[OperationType.values().length];
    private final ReceiveContinuously receiving;

    /**
     * Makes the requests.
     *
     * @param demultiplexer the demultiplexer that submits them
     * @param features      the features of the kernel
     * @param zeroCopyFrom  the smallest number of bytes that is sent without a copy
     * @param buffers       the buffers from which the kernel chooses, null if it cannot
     * @param pipes         for transmissions
     */
    Requests(IoUringDemultiplexer demultiplexer, Features features, int zeroCopyFrom, BufferRings buffers,
            PipePool pipes) {
        receiving = buffers == null ? new RepeatedReceive(demultiplexer)
                : new MultishotReceive(demultiplexer, buffers);
        put(OperationType.ACCEPT, new Accept(demultiplexer));
        put(OperationType.ACCEPT_CONTINUOUSLY, new AcceptContinuously(demultiplexer, features.multishotAccept()));
        put(OperationType.CONNECT, new Connect(demultiplexer));
        put(OperationType.RECEIVE, new Receive(demultiplexer));
        put(OperationType.RECEIVE_CONTINUOUSLY, receiving);
        put(OperationType.SEND, features.zeroCopySend() ? new ZeroCopySend(demultiplexer, zeroCopyFrom)
                : new Send(demultiplexer));
        put(OperationType.RECEIVE_FROM,
                new Datagram(demultiplexer, IORING_OP_RECVMSG, SocketConstants.MSG_TRUNC, EventType.READ));
        put(OperationType.SEND_TO,
                new Datagram(demultiplexer, IORING_OP_SENDMSG, SocketConstants.MSG_NOSIGNAL, EventType.WRITE));
        put(OperationType.TRANSMIT_FILE, new TransmitFile(demultiplexer, pipes));
        put(OperationType.SHUTDOWN, new Shutdown(demultiplexer));
        put(OperationType.POLL, new Poll(demultiplexer));
        put(OperationType.OPEN, new Open(demultiplexer));
        put(OperationType.READ, new FileTransfer(demultiplexer, IORING_OP_READ, IORING_OP_READV));
        put(OperationType.WRITE, new FileTransfer(demultiplexer, IORING_OP_WRITE, IORING_OP_WRITEV));
        put(OperationType.FORCE, new Force(demultiplexer));
        put(OperationType.CLOSE, new Close(demultiplexer));
        put(OperationType.TIMEOUT, new Timeout(demultiplexer));
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

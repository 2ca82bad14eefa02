package dev.sluice.demultiplexers.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_ACCEPT_MULTISHOT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ACCEPT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CLOSE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CONNECT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECVMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND_ZC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SHUTDOWN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITEV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_RECV_MULTISHOT;
import static dev.sluice.calls.layout.IoUringConstants.IOSQE_BUFFER_SELECT;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.KernelTimespec;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexers.handleset.PollEvents;
import dev.sluice.demultiplexers.operation.NativeOperation;
import java.nio.ByteBuffer;

/** Writes operations as submission queue entries. For the loop thread. */
final class RequestEncoder {

    /**
     * What a poll reports beside what a socket's wake-up announces, urgent data always among it, and never for what
     * it has found itself. POLLPRI alone is not woken by urgent data that come after the request (seen on Linux 6.18).
     */
    static final int GUESSED = PollConstants.POLLRDBAND;

    private final Features features;
    private final int zeroCopyFrom;
    private final ByteBuffer entries;

    RequestEncoder(Features features, int zeroCopyFrom, ByteBuffer entries) {
        this.features = features;
        this.zeroCopyFrom = zeroCopyFrom;
        this.entries = entries;
    }

    /** Writes an operation's request. */
    void encode(IoUringOperation operation, int at) {
        switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> accept(operation, at);
            case RECEIVE_CONTINUOUSLY -> receiveContinuously(operation, at);
            case SEND -> send(operation, at);
            case RECEIVE -> receive(operation, at);
            case RECEIVE_FROM -> message(IORING_OP_RECVMSG, operation, at, SocketConstants.MSG_TRUNC);
            case SEND_TO -> message(IORING_OP_SENDMSG, operation, at, SocketConstants.MSG_NOSIGNAL);
            case READ -> file(operation, at, IORING_OP_READ, IORING_OP_READV);
            case WRITE -> file(operation, at, IORING_OP_WRITE, IORING_OP_WRITEV);
            case TRANSMIT_FILE -> operation.transmission.encode(operation, entries, at);
            case CONNECT -> set(operation, at, IORING_OP_CONNECT, operation.nextLength(), operation.address(), 0, 0);
            case SHUTDOWN -> set(operation, at, IORING_OP_SHUTDOWN, 0, 0,
                    operation.wantsAll() ? SocketConstants.SHUT_WR : SocketConstants.SHUT_RD, 0);
            case POLL -> poll(operation, at, (int) operation.descriptor(), (int) operation.amount());
            case OPEN -> IoUringSqe.set(entries, at, IORING_OP_OPENAT, FileConstants.AT_FDCWD, 0, operation.address(),
                    NativeOperation.mode(), operation.openFlags(), operation.key());
            case FORCE -> set(operation, at, IORING_OP_FSYNC, 0, 0, 0, 0);
            case CLOSE -> set(operation, at, IORING_OP_CLOSE, 0, 0, 0, 0);
            case TIMEOUT -> timeout(operation, at);
            case POST -> throw new IllegalStateException("a post needs no request");
        }
    }

    private void set(NativeOperation operation, int at, int opcode, long offset, long address, int length, int flags) {
        IoUringSqe.set(entries, at, opcode, (int) operation.descriptor(), offset, address, length, flags,
                operation.key());
    }

    private void accept(NativeOperation operation, int at) {
        set(operation, at, IORING_OP_ACCEPT, 0, 0, 0, SocketConstants.SOCK_NONBLOCK | SocketConstants.SOCK_CLOEXEC);
        if (operation.type() == OperationType.ACCEPT_CONTINUOUSLY && features.multishotAccept()) {
            IoUringSqe.ioprio(entries, at, IORING_ACCEPT_MULTISHOT);
        }
    }

    private void receiveContinuously(IoUringOperation operation, int at) {
        if (operation.receiving != null) {
            set(operation, at, IORING_OP_RECV, 0, operation.receiving.address(), operation.receiving.size(), 0);
            return;
        }
        set(operation, at, IORING_OP_RECV, 0, 0, 0, 0);
        IoUringSqe.flags(entries, at, IOSQE_BUFFER_SELECT);
        IoUringSqe.ioprio(entries, at, IORING_RECV_MULTISHOT);
        IoUringSqe.bufferGroup(entries, at, BufferRing.GROUP);
    }

    private void receive(NativeOperation operation, int at) {
        if (operation.isVectored()) {
            message(IORING_OP_RECVMSG, operation, at, 0);
        } else {
            set(operation, at, IORING_OP_RECV, 0, operation.address(), operation.nextLength(), 0);
        }
    }

    private void send(IoUringOperation operation, int at) {
        // MSG_WAITALL has the kernel itself go on after a short send (io_uring_enter(2), since 5.19).
        int flags = SocketConstants.MSG_NOSIGNAL | (operation.wantsAll() ? SocketConstants.MSG_WAITALL : 0);
        operation.zeroCopy = false;
        if (operation.isVectored()) {
            message(IORING_OP_SENDMSG, operation, at, flags);
            return;
        }
        // Who is content with some of it wants to go on before the peer has taken it.
        operation.zeroCopy = features.zeroCopySend() && operation.wantsAll() && operation.nextLength() >= zeroCopyFrom
                && ((IoUringAssociation) operation.handle()).zeroCopyWorks;
        set(operation, at, operation.zeroCopy ? IORING_OP_SEND_ZC : IORING_OP_SEND, 0, operation.address(),
                operation.nextLength(), flags);
    }

    private void message(int opcode, NativeOperation operation, int at, int flags) {
        set(operation, at, opcode, 0, operation.message(), 1, flags);
    }

    private void file(NativeOperation operation, int at, int opcode, int vectorOpcode) {
        if (operation.isVectored()) {
            set(operation, at, vectorOpcode, operation.nextPosition(), operation.vector(), operation.vectorCount(), 0);
        } else {
            set(operation, at, opcode, operation.nextPosition(), operation.address(), operation.nextLength(), 0);
        }
    }

    /** Writes a request that completes when an operation that was answered with EAGAIN can be tried again. */
    void awaitReadiness(IoUringOperation operation, int at) {
        switch (operation.type()) {
            case TRANSMIT_FILE -> {
                Transmission transmission = operation.transmission;
                poll(operation, at, transmission.awaitedDescriptor(operation), transmission.awaitedEvent());
            }
            case SEND, SEND_TO -> poll(operation, at, (int) operation.descriptor(), EventType.WRITE);
            default -> poll(operation, at, (int) operation.descriptor(), EventType.READ);
        }
    }

    private void poll(NativeOperation operation, int at, int descriptor, int events) {
        // 32 bits of poll events, in the byte order of the machine on all that Java 17 runs on.
        IoUringSqe.set(entries, at, IORING_OP_POLL_ADD, descriptor, 0, 0, 0, PollEvents.toPoll(events)
                | ((events & EventType.EXCEPTION) != 0 ? GUESSED : 0), operation.key());
    }

    private void timeout(NativeOperation operation, int at) {
        long left = Math.max(0, operation.nextPosition() - System.nanoTime());
        KernelTimespec.set(operation.structure(), operation.structureAt(), left);
        IoUringSqe.set(entries, at, IORING_OP_TIMEOUT, -1, 0, operation.structureAddress(), 1, 0, operation.key());
    }
}

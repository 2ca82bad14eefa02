package dev.sluice.demultiplexers.emulated;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexers.operation.NativeOperation;
import dev.sluice.demultiplexers.operation.PooledBuffer;
import dev.sluice.system.OperatingSystem;

/** The system calls that operations stand for. */
final class Calls {

    /** What one step of a transmission sends at most, so that it can be cancelled and others get their turn. */
    private static final long TRANSMISSION_STEP = 1 << 20;

    private final Posix posix;
    private final OperatingSystem system;

    Calls(Binding binding) {
        posix = binding.posix();
        system = OperatingSystem.of(binding);
    }

    /**
     * Attempts an operation once.
     *
     * @return what the call returned
     */
    long perform(NativeOperation operation) {
        long result;
        do {
            result = call(operation);
        } while (Errno.EINTR.is(result) && operation.type() != OperationType.CONNECT);
        return result;
    }

    private long call(NativeOperation operation) {
        int fd = (int) operation.descriptor();
        return switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> system.accept(fd, 0, 0);
            case CONNECT -> posix.connect(fd, operation.address(), operation.nextLength());
            case SHUTDOWN -> system.shutdown(fd,
                    operation.wantsAll() ? SocketConstants.SHUT_WR : SocketConstants.SHUT_RD);
            case RECEIVE -> operation.isVectored()
                    ? posix.recvmsg(fd, operation.message(), 0)
                    : posix.recv(fd, operation.address(), operation.nextLength(), 0);
            case RECEIVE_FROM -> receiveFrom(operation);
            case SEND -> operation.isVectored()
                    ? posix.sendmsg(fd, operation.message(), SocketConstants.MSG_NOSIGNAL)
                    : posix.send(fd, operation.address(), operation.nextLength(), SocketConstants.MSG_NOSIGNAL);
            case SEND_TO -> posix.sendmsg(fd, operation.message(), SocketConstants.MSG_NOSIGNAL);
            case TRANSMIT_FILE -> transmit(operation);
            case OPEN -> posix.open(operation.address(), operation.openFlags(), NativeOperation.mode());
            case READ -> operation.isVectored()
                    ? posix.preadv(fd, operation.vector(), operation.vectorCount(), operation.nextPosition())
                    : posix.pread(fd, operation.address(), operation.nextLength(), operation.nextPosition());
            case WRITE -> operation.handle().handle().appends() ? append(operation) : write(operation);
            case FORCE -> system.force(fd);
            case CLOSE -> close(fd);
            case RECEIVE_CONTINUOUSLY, POLL, TIMEOUT, POST ->
                    throw new IllegalStateException("not a call of its own: " + operation);
        };
    }

    private long write(NativeOperation operation) {
        int fd = (int) operation.descriptor();
        return operation.isVectored()
                ? posix.pwritev(fd, operation.vector(), operation.vectorCount(), operation.nextPosition())
                : posix.pwrite(fd, operation.address(), operation.nextLength(), operation.nextPosition());
    }

    private long append(NativeOperation operation) {
        int fd = (int) operation.descriptor();
        return operation.isVectored()
                ? posix.writev(fd, operation.vector(), operation.vectorCount())
                : posix.write(fd, operation.address(), operation.nextLength());
    }

    private long transmit(NativeOperation operation) {
        return system.sendFile(operation.handle().descriptor(), operation.fileDescriptor(), operation.nextPosition(),
                Math.min(operation.amount() - operation.done(), TRANSMISSION_STEP),
                operation.structure(), operation.structureAt(), operation.structureAddress());
    }

    private long receiveFrom(NativeOperation operation) {
        // The message lies in the same memory.
        int at = operation.structureAt() - (int) (operation.structureAddress() - operation.message());
        return system.receiveMessage(operation.descriptor(), operation.message(), operation.structure(), at);
    }

    private int close(int fd) {
        int result = posix.close(fd);
        // The descriptor is gone all the same (close(2)).
        return Errno.EINTR.is(result) ? 0 : result;
    }

    /** {@return what came of an attempt to connect that is over: 0, or a negated error number} */
    int connected(NativeOperation operation) {
        int at = operation.structureAt();
        operation.structure().putInt(at, 0).putInt(at + Integer.BYTES, Integer.BYTES);
        int result = posix.getsockopt((int) operation.descriptor(), SocketConstants.SOL_SOCKET,
                SocketConstants.SO_ERROR, operation.structureAddress(), operation.structureAddress() + Integer.BYTES);
        return result < 0 ? result : -operation.structure().getInt(at);
    }

    /**
     * Receives what there is into a provided buffer.
     *
     * @return what the call returned
     */
    long receive(NativeOperation operation, PooledBuffer buffer) {
        long result;
        do {
            result = posix.recv((int) operation.descriptor(), buffer.address(), buffer.size(), 0);
        } while (Errno.EINTR.is(result));
        return result;
    }
}

package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.deadline.Deadline;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A connected stream socket, TCP or Unix domain: the papers' SOCK_Stream. Created by {@link SocketAcceptor} and
 * {@link SocketConnector}.
 */
public final class SocketStream extends SocketEndpoint {

    /** Result of {@link #receive} when the peer has closed its sending half and everything has been received. */
    public static final int END_OF_STREAM = -1;

    private static final ByteTransfer.Call RECEIVE = (system, fd, address, length, none) ->
            system.receive(fd, address, length);
    private static final ByteTransfer.Call SEND = (system, fd, address, length, none) ->
            system.send(fd, address, length);
    private static final ByteTransfer.Call SEND_BEFORE_MORE = (system, fd, address, length, none) ->
            system.sendBeforeMore(fd, address, length);
    private static final ByteTransfer.VectorCall SCATTER = (system, fd, scratch, elements, none) ->
            system.receive(fd, scratch, elements);
    private static final ByteTransfer.VectorCall GATHER = (system, fd, scratch, elements, none) ->
            system.send(fd, scratch, elements);

    SocketStream(Handle handle, int family) {
        super(handle, family);
    }

    /**
     * {@return the peer's address; the empty path for an unnamed Unix domain socket}
     *
     * @throws SystemCallException if the socket is not connected: {@code ENOTCONN}
     */
    public SocketAddress remoteAddress() throws IOException {
        return address(false);
    }

    /**
     * Receives the available bytes, without waiting.
     *
     * @param destination takes the bytes; its position advances
     * @return the number of bytes received, 0 if none are available now or the buffer has no space remaining, or
     *         {@link #END_OF_STREAM}
     * @throws SystemCallException   if the connection has failed, such as {@code ECONNRESET}
     * @throws HandleClosedException if this socket is closed
     */
    @CheckReturnValue
    public int receive(ByteBuffer destination) throws IOException {
        if (!destination.hasRemaining()) {
            return 0;
        }
        long address = destination.isReadOnly() ? Memory.COPY : address(destination);
        return (int) received("recv", address >= 0
                ? transfer(destination, address, false)
                : ByteTransfer.in(descriptor, destination, RECEIVE, 0));
    }

    /**
     * Scatters the available bytes over several buffers, without waiting.
     *
     * @param destinations the buffers, filled in order
     * @param offset       the index of the first buffer
     * @param count        the number of buffers; one call uses at most 1024 that have space remaining
     * @return as {@link #receive(ByteBuffer)}
     * @throws IOException as {@link #receive(ByteBuffer)}
     */
    @CheckReturnValue
    public long receive(ByteBuffer[] destinations, int offset, int count) throws IOException {
        if (ByteTransfer.remaining(destinations, offset, count) == 0) {
            return 0;
        }
        return received("recvmsg", ByteTransfer.vector(descriptor, destinations, offset, count, true, SCATTER, 0));
    }

    /**
     * Sends as many bytes as the socket's buffer takes now, without waiting.
     *
     * @param source the bytes; its position advances by the number of bytes sent
     * @return the number of bytes sent, possibly 0
     * @throws SystemCallException   if the connection has failed, such as {@code EPIPE}
     * @throws HandleClosedException if this socket is closed
     */
    public int send(ByteBuffer source) throws IOException {
        if (!source.hasRemaining()) {
            return 0;
        }
        long address = address(source);
        return (int) sent("send", address >= 0
                ? transfer(source, address, true)
                : ByteTransfer.out(descriptor, source, SEND, 0));
    }

    /**
     * Sends as many bytes as the socket's buffer takes, without waiting, and allows the system to delay the last of
     * them until more bytes are sent: for a header that is followed by {@link #sendFile}. Linux combines both into full
     * segments ({@code MSG_MORE}, send(2)), and sends the delayed bytes after at most 200 ms; on other systems this is
     * {@link #send(ByteBuffer)}.
     *
     * @param source the bytes; its position advances by the number of bytes sent
     * @return the number of bytes sent, possibly 0
     * @throws IOException as {@link #send(ByteBuffer)}
     */
    public int sendBeforeMore(ByteBuffer source) throws IOException {
        if (!source.hasRemaining()) {
            return 0;
        }
        return (int) sent("send", ByteTransfer.out(descriptor, source, SEND_BEFORE_MORE, 0));
    }

    /**
     * Gathers several buffers into one send, without waiting.
     *
     * @param sources the buffers, sent in order
     * @param offset  the index of the first buffer
     * @param count   the number of buffers; one call uses at most 1024 that have bytes remaining
     * @return the number of bytes sent, possibly 0
     * @throws IOException as {@link #send(ByteBuffer)}
     */
    public long send(ByteBuffer[] sources, int offset, int count) throws IOException {
        if (ByteTransfer.remaining(sources, offset, count) == 0) {
            return 0;
        }
        return sent("sendmsg", ByteTransfer.vector(descriptor, sources, offset, count, false, GATHER, 0));
    }

    /**
     * Sends a part of a file. Where the system supports {@code sendfile} for this file, the bytes are not copied
     * through this process.
     *
     * @param file     the file
     * @param position the position of the first byte in the file
     * @param count    the maximum number of bytes to send; {@link Long#MAX_VALUE} for the rest of the file
     * @return the number of bytes sent, possibly 0; -1 if the file ends at or before the position
     * @throws IllegalArgumentException if the position or count is negative
     * @throws SystemCallException      if the connection or the file has failed
     */
    public long sendFile(FileHandle file, long position, long count) throws IOException {
        if (position < 0 || count < 0) {
            throw new IllegalArgumentException("position " + position + ", count " + count);
        }
        if (count == 0) {
            return 0;
        }
        long result = transmit(file, position, count);
        if (Errno.ENOSYS.is(result)) {
            return copy(file, position, count);
        }
        return result == 0 ? -1 : sent("sendfile", result);
    }

    private long transmit(FileHandle file, long position, long count) throws IOException {
        long out = descriptor.acquire();
        try {
            long in = file.descriptor.acquire();
            try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
                long result;
                do {
                    result = system.sendFile(out, in, position, count,
                            scratch.memory(), Scratch.VALUE, scratch.address(Scratch.VALUE));
                } while (result < 0 && Errno.EINTR.is(result));
                return result;
            } finally {
                file.descriptor.release();
            }
        } finally {
            descriptor.release();
        }
    }

    private long copy(FileHandle file, long position, long count) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(count, Scratch.COPY_SIZE));
        if (file.read(piece, position) < 0) {
            return -1;
        }
        return send(piece.flip());
    }

    /**
     * Receives until the buffer is full, waiting for bytes that have not arrived yet: the papers' recv_n. An interrupt
     * does not end the wait; closing the socket does, with a {@link HandleClosedException}.
     *
     * <p>A virtual thread pins its carrier while it waits: see the description of this package.
     *
     * @param destination takes the bytes
     * @param timeout     the maximum total time to wait; a duration of centuries counts as unbounded
     * @return whether the buffer is full; false if the stream ended first
     * @throws SocketTimeoutException   if the timeout elapsed; bytes received by then are in the buffer
     * @throws IllegalArgumentException if the timeout is negative
     */
    @CheckReturnValue
    public boolean receiveFully(ByteBuffer destination, Duration timeout) throws IOException {
        Deadline deadline = Deadline.in(timeout);
        while (destination.hasRemaining()) {
            int received = receive(destination);
            if (received == END_OF_STREAM) {
                return false;
            }
            if (received == 0 && !descriptor.await(true, deadline)) {
                throw new SocketTimeoutException("receive " + this + ": " + destination.remaining()
                        + " bytes are missing after " + timeout);
            }
        }
        return true;
    }

    /**
     * Sends until the buffer is empty, waiting while the peer is slow: the papers' send_n. An interrupt does not end
     * the wait; closing the socket does, with a {@link HandleClosedException}.
     *
     * <p>A virtual thread pins its carrier while it waits: see the description of this package.
     *
     * @param source  the bytes
     * @param timeout the maximum total time to wait; a duration of centuries counts as unbounded
     * @throws SocketTimeoutException   if the timeout elapsed; bytes that have not been sent remain in the buffer
     * @throws IllegalArgumentException if the timeout is negative
     */
    public void sendFully(ByteBuffer source, Duration timeout) throws IOException {
        Deadline deadline = Deadline.in(timeout);
        while (source.hasRemaining()) {
            if (send(source) == 0 && !descriptor.await(false, deadline)) {
                throw new SocketTimeoutException("send " + this + ": " + source.remaining()
                        + " bytes are left after " + timeout);
            }
        }
    }

    /**
     * Closes the receiving half: {@link #receive} returns the end of stream once the bytes that have already arrived
     * are consumed.
     *
     * @throws SystemCallException if the socket is not connected: {@code ENOTCONN}; macOS does not report it
     */
    public void shutdownInput() throws IOException {
        call("shutdown", fd -> system.shutdown(fd, SocketConstants.SHUT_RD));
    }

    /**
     * Returns the number of sent bytes that the peer's system has acknowledged. It grows while the peer reads, even
     * when this side cannot send because the buffers in between are full. Makes a system call.
     *
     * @return the number since the connection was established, which may be off by one for the handshake; -1 if the
     *         system does not report it, which only Linux does, for TCP
     * @throws HandleClosedException if the socket is closed
     */
    public long acknowledged() throws IOException {
        return call(system::acknowledged);
    }

    /**
     * Closes the sending half: the peer receives the end of stream; receiving continues.
     *
     * @throws SystemCallException if the socket is not connected: {@code ENOTCONN}; macOS does not report it
     */
    public void shutdownOutput() throws IOException {
        call("shutdown", fd -> system.shutdown(fd, SocketConstants.SHUT_WR));
    }

    /** {@return the address of a buffer's index 0, or {@link Memory#COPY}} */
    private long address(ByteBuffer buffer) {
        return buffer.isDirect() ? memory.address(buffer) : Memory.COPY;
    }

    /**
     * Receives into a direct buffer, or sends it. Most messages take this path, which does not use
     * {@link ByteTransfer}: the fewer levels there are above a call, the more of it the compiler can inline.
     */
    private long transfer(ByteBuffer buffer, long start, boolean sending) throws IOException {
        int position = buffer.position();
        long address = start + position;
        int length = buffer.remaining();
        long fd = descriptor.acquire();
        try {
            long moved;
            do {
                moved = sending ? system.send(fd, address, length) : system.receive(fd, address, length);
            } while (moved < 0 && Errno.EINTR.is(moved));
            if (moved > 0) {
                buffer.position(position + (int) moved);
            }
            return moved;
        } finally {
            descriptor.release();
            Reference.reachabilityFence(buffer);
        }
    }

    private long received(String call, long result) throws IOException {
        if (result > 0) {
            return result;
        }
        if (result == 0) {
            descriptor.requireOpen();
            return END_OF_STREAM;
        }
        return nothing(call, result);
    }

    private long sent(String call, long result) throws IOException {
        return result >= 0 ? result : nothing(call, result);
    }

    private long nothing(String call, long result) throws IOException {
        if (!wouldBlock(result)) {
            descriptor.requireOpen();
            throw new SystemCallException(call, handle(), result);
        }
        return 0;
    }
}

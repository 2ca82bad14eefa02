package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.system.DatagramArray;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Receives the datagrams waiting on a socket several at a time, in one call where the system has one for that (Linux's
 * {@code recvmmsg}), and tells how many the system has dropped because they arrived faster than they were received, if
 * it is asked. {@link DatagramSendBatch} is its counterpart.
 *
 * <p>Owns native memory, not the socket. What was received stays valid until the next {@link #receive()}. Belongs to
 * one thread at a time; receiving allocates nothing.
 */
public final class DatagramBatch implements Closeable {

    /** The most datagrams of a batch: Linux takes no more in one call. */
    public static final int LARGEST_CAPACITY = 1024;

    private static final int LARGEST_SIZE = 1 << 30;

    private final SocketDatagram socket;
    private final DatagramArray datagrams;
    private final ByteBuffer[] views;
    /** Whether the system can be asked for what it has dropped; otherwise it may report that with each datagram. */
    private final boolean asks;
    private int count;

    /**
     * Makes an empty batch.
     *
     * @param socket   to receive from; stays the caller's
     * @param capacity how many datagrams to take at most in one call, 1 to {@value #LARGEST_CAPACITY}
     * @param room     how many bytes of each to take at most, at least 1; what is longer is cut off
     * @throws IllegalArgumentException if one of the numbers is out of range, or all of it would be more than 1 GiB
     * @throws IOException              if the socket is closed
     */
    public DatagramBatch(SocketDatagram socket, int capacity, int room) throws IOException {
        check(capacity, room);
        this.socket = socket;
        long fd = socket.handle.acquire();
        try {
            asks = socket.system.dropped(fd) >= 0;
            if (!asks) {
                socket.check("setsockopt SO_RXQ_OVFL=true", socket.system.reportDrops(fd));
            }
        } finally {
            socket.handle.release();
        }
        datagrams = new DatagramArray(socket.memory, capacity, room, !asks);
        views = new ByteBuffer[capacity];
        for (int i = 0; i < capacity; i++) {
            views[i] = datagrams.view(i);
        }
    }

    static void check(int capacity, int room) {
        if (capacity < 1 || capacity > LARGEST_CAPACITY || room < 1
                || DatagramArray.size(capacity, room) > LARGEST_SIZE) {
            throw new IllegalArgumentException("a batch of " + capacity + " datagrams of " + room + " bytes");
        }
    }

    /**
     * Receives the datagrams that are waiting, as many as there is room for. If there are fewer, none is left: the next
     * call need not be made until the socket is ready again.
     *
     * @return how many, 0 if none waited
     * @throws IllegalStateException if this batch is closed
     * @throws SystemCallException   if an earlier datagram met an error, such as {@code ECONNREFUSED} from a connected
     *                               peer; those still waiting are not lost
     * @throws HandleClosedException if the socket is closed
     */
    public int receive() throws IOException {
        if (datagrams.isClosed()) {
            throw new IllegalStateException("the batch is closed");
        }
        count = 0;
        long result = datagrams.takePostponed();
        long fd = socket.handle.acquire();
        try {
            while (result == 0 || Errno.EINTR.is(result)) {
                result = socket.system.receiveFrom(fd, datagrams);
            }
        } finally {
            socket.handle.release();
        }
        count = (int) Math.max(0, result);
        if (!SocketEndpoint.wouldBlock(result)) {
            socket.check("recvmmsg", result);
        }
        return count;
    }

    /** {@return how many datagrams the last call received} */
    public int count() {
        return count;
    }

    /**
     * The bytes of a datagram.
     *
     * @param index 0 to {@link #count()} - 1, in the order of their arrival
     * @return from position to limit, at most as many as there is room for; the same object each time, direct
     * @throws IndexOutOfBoundsException if there is no such datagram
     */
    public ByteBuffer datagram(int index) {
        ByteBuffer view = views[Objects.checkIndex(index, count)];
        return view.limit(Math.min(length(index), view.capacity())).position(0);
    }

    /**
     * How long a datagram was.
     *
     * @param index 0 to {@link #count()} - 1
     * @return its full length in bytes, more than there is room for if it was cut off
     * @throws IndexOutOfBoundsException if there is no such datagram
     */
    public int length(int index) {
        return datagrams.length(Objects.checkIndex(index, count));
    }

    /**
     * Tells where a datagram came from.
     *
     * @param index  0 to {@link #count()} - 1
     * @param sender set to the address
     * @throws IndexOutOfBoundsException if there is no such datagram
     */
    public void sender(int index, PeerAddress sender) {
        Objects.checkIndex(index, count);
        sender.readFrom(datagrams.memory(), datagrams.addressAt(index), datagrams.addressLength(index));
    }

    /**
     * How many datagrams the system has dropped since the socket was opened, usually because its receive buffer was
     * full ({@link NativeSocketOptions#SO_RCVBUF}). This asks the system, which takes a call: ask now and then, and not
     * after every batch.
     *
     * @return their number so far; before Linux 4.12, that before the last datagram that this batch has received;
     *         always 0 where the system does not count them; of the systems known here only Linux does
     * @throws HandleClosedException if the socket is closed
     */
    public long dropped() throws IOException {
        long fd = socket.handle.acquire();
        try {
            if (asks) {
                long counter = socket.system.dropped(fd);
                socket.check("getsockopt SO_MEMINFO", counter);
                datagrams.noteDropped((int) counter);
            }
        } finally {
            socket.handle.release();
        }
        return datagrams.dropped();
    }

    /** Frees the memory. The socket stays open. */
    @Override
    public void close() {
        count = 0;
        datagrams.close();
    }
}

package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.system.DatagramArray;
import dev.sluice.system.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Receives the datagrams waiting on a socket several at a time, in one call where the system has one for that (Linux's
 * {@code recvmmsg}), and tells how many the system has dropped because they arrived faster than they were received.
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
    private int count;

    /**
     * Makes an empty batch. Where the system counts what it drops, the socket begins to report that.
     *
     * @param socket   to receive from; stays the caller's
     * @param capacity how many datagrams to take at most in one call, 1 to {@value #LARGEST_CAPACITY}
     * @param room     how many bytes of each to take at most, at least 1; what is longer is cut off
     * @throws IllegalArgumentException if one of the numbers is out of range, or all of it would be more than 1 GiB
     * @throws IOException              if the socket is closed
     */
    public DatagramBatch(SocketDatagram socket, int capacity, int room) throws IOException {
        if (capacity < 1 || capacity > LARGEST_CAPACITY || room < 1
                || DatagramArray.size(capacity, room) > LARGEST_SIZE) {
            throw new IllegalArgumentException("a batch of " + capacity + " datagrams of " + room + " bytes");
        }
        this.socket = socket;
        long fd = socket.handle.acquire();
        try {
            socket.check("setsockopt SO_RXQ_OVFL=true", socket.system.reportDrops(fd));
        } finally {
            socket.handle.release();
        }
        datagrams = new DatagramArray(socket.memory, capacity, room);
        views = new ByteBuffer[capacity];
        for (int i = 0; i < capacity; i++) {
            views[i] = datagrams.view(i);
        }
    }

    /**
     * Receives the datagrams that are waiting, as many as there is room for. If there are fewer, none is left: the next
     * call need not be made until the socket is ready again.
     *
     * @return how many, 0 if none waited
     * @throws SystemCallException   if an earlier datagram met an error, such as {@code ECONNREFUSED} from a connected
     *                               peer; those still waiting are not lost
     * @throws HandleClosedException if the socket is closed
     */
    public int receive() throws IOException {
        count = 0;
        long result = datagrams.takePostponed();
        long fd = socket.handle.acquire();
        try (Scratch scratch = Scratch.borrow(socket.handle.binding())) {
            while (result == 0 || Errno.EINTR.is(result)) {
                result = socket.system.receiveFrom(fd, datagrams, scratch);
            }
            count = (int) Math.max(0, result);
            if (count < views.length && (count > 0 || SocketEndpoint.wouldBlock(result))) {
                // A datagram's control data report what was dropped before it. Nothing came after the last one to
                // report what was dropped at the end of a burst.
                datagrams.noteDropped(socket.system.dropped(fd, scratch));
            }
        } finally {
            socket.handle.release();
        }
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
     * full ({@link NativeSocketOptions#SO_RCVBUF}): all of them, if the last call did not fill the batch, otherwise
     * those before the last that it received.
     *
     * @return their number so far; always 0 where the system does not count them; of the systems known here only Linux
     *         does
     */
    public long dropped() {
        return datagrams.dropped();
    }

    /** Frees the memory. The socket stays open. */
    @Override
    public void close() {
        count = 0;
        datagrams.close();
    }
}

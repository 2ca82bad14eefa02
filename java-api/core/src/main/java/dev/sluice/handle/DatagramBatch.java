package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Errno;
import dev.sluice.system.DatagramArray;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Receives the datagrams waiting on a socket several at a time, in one call where the system has one for that (Linux's
 * {@code recvmmsg}), and reports how many the system has dropped because they arrived faster than they were received,
 * if it is asked. {@link DatagramSendBatch} is its counterpart.
 *
 * <p>A {@linkplain #joined joined} batch also saves the way through the kernel that each datagram takes by itself.
 *
 * <p>A datagram is asked for by its index, 0 to {@link #count()} - 1, in the order of their arrival; for another index
 * there is an {@link IndexOutOfBoundsException}.
 *
 * <p>Owns native memory, not the socket. What was received stays valid until the next {@link #receive()}. Belongs to
 * one thread at a time; receiving allocates nothing.
 */
public final class DatagramBatch implements Closeable {

    /** Maximum number of datagrams of a batch: Linux takes no more in one call. */
    public static final int MAX_CAPACITY = 1024;

    private static final int LARGEST_SIZE = 1 << 30;
    /** No IP packet that has been joined, or not, is longer. */
    private static final int LONGEST_MESSAGE = 1 << 16;

    private final SocketDatagram socket;
    private final DatagramArray datagrams;
    private final ByteBuffer[] views;
    /** Null if none arrives joined. */
    private final @Nullable CoalescedDatagrams joined;
    /** Whether the system can be asked for what it has dropped; otherwise it may report that with each datagram. */
    private final boolean asks;
    private int received;
    private int count;

    /**
     * Creates an empty batch.
     *
     * @param socket   to receive from; stays the caller's
     * @param capacity the maximum number of datagrams to receive in one call, 1 to {@value #MAX_CAPACITY}
     * @param room     the maximum length of each in bytes, at least 1; longer datagrams are truncated
     * @throws IllegalArgumentException if one of the numbers is out of range, or all of it would be more than 1 GiB
     * @throws IllegalStateException    if the socket has had a {@linkplain #joined joined} batch
     * @throws IOException              if the socket is closed
     */
    public DatagramBatch(SocketDatagram socket, int capacity, int room) throws IOException {
        this(socket, capacity, room, false);
    }

    /**
     * Creates an empty batch for which the system leaves together what has come together, where it has receive offload
     * for the socket (Linux's {@code UDP_GRO}, udp(7)): datagrams of one length from one peer, of which the last may be
     * shorter, pass the kernel as one message. The batch takes it apart again; each counts, and is asked for, as
     * everywhere. Where the system lacks that, such a batch receives as any other.
     *
     * <p>A message has up to 64 KiB, and joining cannot be undone: joined datagrams may already be waiting in the
     * socket for the next receive. So a program has to ask for it, and from then on the socket is for such batches
     * alone; other receivers get an {@link IllegalStateException}. No receive may be in progress during this call. On
     * many kernels a dropped message counts once, however many datagrams have been joined in it.
     *
     * @param socket   to receive from; stays the caller's
     * @param messages the maximum number of messages to receive in one call, 1 to {@value #MAX_CAPACITY}; each
     *                 takes 64 KiB of memory and may contain many datagrams, in Linux up to 128
     * @return the batch
     * @throws IllegalArgumentException if the number is out of range
     * @throws IOException              if the socket is closed
     */
    @CheckReturnValue
    public static DatagramBatch joined(SocketDatagram socket, int messages) throws IOException {
        return new DatagramBatch(socket, messages, LONGEST_MESSAGE, true);
    }

    DatagramBatch(SocketDatagram socket, int capacity, int room, boolean joining) throws IOException {
        check(capacity, room);
        if (!joining) {
            socket.requireSeparate();
        }
        this.socket = socket;
        boolean joins = joining && socket.joinArrivals();
        asks = socket.call(socket.system::dropped) >= 0;
        if (!asks) {
            socket.call("setsockopt SO_RXQ_OVFL=true", socket.system::reportDrops);
        }
        datagrams = DatagramArray.toReceive(socket.memory, capacity, room, joins || !asks);
        joined = joins ? new CoalescedDatagrams(datagrams) : null;
        views = new ByteBuffer[joins ? 0 : capacity];
        for (int i = 0; i < views.length; i++) {
            views[i] = datagrams.view(i);
        }
    }

    static void check(int capacity, int room) {
        if (capacity < 1 || capacity > MAX_CAPACITY || room < 1
                || DatagramArray.size(capacity, room) > LARGEST_SIZE) {
            throw new IllegalArgumentException("a batch of " + capacity + " datagrams of " + room + " bytes");
        }
    }

    /**
     * Receives the datagrams that are waiting, as many as there is room for. If there are fewer, none is left: the next
     * call need not be made until the socket is ready again. {@link #isFull()} reports the same, and of a
     * {@linkplain #joined joined} batch, too.
     *
     * @return how many, 0 if none waited
     * @throws IllegalStateException if this batch is closed, or not {@linkplain #joined joined} and the socket has had
     *                               one that is
     * @throws SystemCallException   if an earlier datagram met an error, such as {@code ECONNREFUSED} from a connected
     *                               peer; those still waiting are not lost
     * @throws HandleClosedException if the socket is closed
     */
    public int receive() throws IOException {
        if (datagrams.isClosed()) {
            throw new IllegalStateException("the batch is closed");
        }
        if (joined == null) {
            socket.requireSeparate();
        }
        received = 0;
        count = 0;
        long result = datagrams.takePostponed();
        long fd = socket.descriptor.acquire();
        try {
            while (result == 0 || result < 0 && Errno.EINTR.is(result)) {
                result = socket.system.receiveFrom(fd, datagrams);
            }
        } finally {
            socket.descriptor.release();
        }
        received = (int) Math.max(0, result);
        count = joined == null ? received : joined.split(received);
        if (!SocketEndpoint.wouldBlock(result)) {
            socket.check("recvmmsg", result);
        }
        return count;
    }

    /** {@return the number of datagrams that the last call received} */
    public int count() {
        return count;
    }

    /** {@return whether the last call took as much as there is room for, so that more may be waiting} */
    public boolean isFull() {
        return received == datagrams.capacity();
    }

    /**
     * {@return the bytes of a datagram, from position to limit, at most as many as there is room for; the same object
     * each time, direct} In a {@linkplain #joined joined} batch the position is that of the datagram in the memory of
     * all.
     */
    public ByteBuffer datagram(int index) {
        Objects.checkIndex(index, count);
        if (joined != null) {
            return joined.datagram(index);
        }
        ByteBuffer view = views[index];
        return view.limit(Math.min(length(index), view.capacity())).position(0);
    }

    /** {@return the full length of a datagram in bytes, more than there is room for if it was cut off} */
    public int length(int index) {
        Objects.checkIndex(index, count);
        return joined == null ? datagrams.length(index) : joined.length(index);
    }

    /** Sets an address to where a datagram came from. */
    public void sender(int index, PeerAddress sender) {
        Objects.checkIndex(index, count);
        int message = joined == null ? index : joined.message(index);
        sender.readFrom(datagrams.memory(), datagrams.addressAt(message), datagrams.addressLength(message));
    }

    /**
     * Number of datagrams that the system has dropped since the socket was opened, usually because its receive buffer
     * was full ({@link NativeSocketOptions#SO_RCVBUF}). This asks the system, which takes a call: ask now and then, and
     * not after every batch.
     *
     * @return their number so far; before Linux 4.12, that before the last datagram that this batch has received;
     *         always 0 where the system does not count them; of the systems known here only Linux does
     * @throws HandleClosedException if the socket is closed
     */
    public long dropped() throws IOException {
        socket.descriptor.requireOpen();
        if (asks) {
            datagrams.noteDropped((int) socket.call("getsockopt SO_MEMINFO", socket.system::dropped));
        }
        return datagrams.dropped();
    }

    /** Frees the memory. The socket stays open. */
    @Override
    public void close() {
        received = 0;
        count = 0;
        datagrams.close();
    }
}

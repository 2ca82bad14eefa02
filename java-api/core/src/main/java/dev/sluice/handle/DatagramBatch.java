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
 * {@code recvmmsg}). Reports on request how many datagrams the system has dropped because they arrived faster than they
 * were received. {@link DatagramSendBatch} is its counterpart.
 *
 * <p>With a {@linkplain #coalesced coalesced} batch, datagrams also pass the kernel's network stack together rather
 * than one at a time.
 *
 * <p>Datagrams are accessed by index, 0 to {@link #count()} - 1, in the order of their arrival; any other index causes
 * an {@link IndexOutOfBoundsException}.
 *
 * <p>Owns native memory, not the socket. Received datagrams stay valid until the next {@link #receive()}. Confined to
 * one thread at a time; receiving allocates nothing.
 */
public final class DatagramBatch implements Closeable {

    /** Maximum number of datagrams of a batch, which is Linux's limit for one call. */
    public static final int MAX_CAPACITY = 1024;

    private static final int MAX_SIZE = 1 << 30;
    /** Maximum length of an IP packet, coalesced or not, in bytes. */
    private static final int MAX_MESSAGE_SIZE = 1 << 16;

    private final SocketDatagram socket;
    private final DatagramArray datagrams;
    private final ByteBuffer[] views;
    /** Splits coalesced messages; null if the system does not coalesce. */
    private final @Nullable CoalescedDatagrams coalesced;
    /**
     * Whether a call returns the number of dropped datagrams; otherwise the system may report it with each datagram.
     */
    private final boolean asks;
    private int received;
    private int count;

    /**
     * Creates an empty batch.
     *
     * @param socket   the socket to receive from; still owned by the caller
     * @param capacity the maximum number of datagrams to receive in one call, 1 to {@value #MAX_CAPACITY}
     * @param maxDatagramSize     the maximum length of each in bytes, at least 1; longer datagrams are truncated
     * @throws IllegalArgumentException if one of the numbers is out of range, or the batch would exceed 1 GiB
     * @throws IllegalStateException    if a {@linkplain #coalesced coalesced} batch has been created for the socket
     * @throws IOException              if the socket is closed
     */
    public DatagramBatch(SocketDatagram socket, int capacity, int maxDatagramSize) throws IOException {
        this(socket, capacity, maxDatagramSize, false);
    }

    /**
     * Creates an empty batch that uses receive offload, where the system has it for the socket (Linux's
     * {@code UDP_GRO}, udp(7)): the system coalesces datagrams of the same length from one peer, of which the last may
     * be shorter, into one message, which passes the kernel as a whole. The batch splits it again, so datagrams are
     * counted and accessed as in any other batch. Without receive offload this is an ordinary batch.
     *
     * <p>A message has up to 64 KiB. Coalescing cannot be switched off, because coalesced datagrams may already be
     * waiting in the socket. So it is never on by default, and afterwards the socket can be used with such batches
     * only; all other ways of receiving throw an {@link IllegalStateException}. No receive may be in progress during
     * this call. On many kernels a dropped message counts once, regardless of the number of datagrams in it.
     *
     * @param socket   the socket to receive from; still owned by the caller
     * @param messages the maximum number of messages to receive in one call, 1 to {@value #MAX_CAPACITY}; each takes 64
     *                 KiB of memory and may contain many datagrams, in Linux up to 128
     * @return the batch
     * @throws IllegalArgumentException if the number is out of range
     * @throws IOException              if the socket is closed
     */
    @CheckReturnValue
    public static DatagramBatch coalesced(SocketDatagram socket, int messages) throws IOException {
        return new DatagramBatch(socket, messages, MAX_MESSAGE_SIZE, true);
    }

    DatagramBatch(SocketDatagram socket, int capacity, int maxDatagramSize, boolean coalescing) throws IOException {
        check(capacity, maxDatagramSize);
        if (!coalescing) {
            socket.requireSeparate();
        }
        this.socket = socket;
        boolean coalesces = coalescing && socket.enableReceiveOffload();
        asks = socket.call(socket.system::dropped) >= 0;
        if (!asks) {
            socket.call("setsockopt SO_RXQ_OVFL=true", socket.system::reportDrops);
        }
        datagrams = DatagramArray.toReceive(socket.memory, capacity, maxDatagramSize, coalesces || !asks);
        try {
            coalesced = coalesces ? new CoalescedDatagrams(datagrams) : null;
            views = new ByteBuffer[coalesces ? 0 : capacity];
            for (int i = 0; i < views.length; i++) {
                views[i] = datagrams.view(i);
            }
        } catch (Throwable e) {
            datagrams.close();
            throw e;
        }
    }

    static void check(int capacity, int maxDatagramSize) {
        if (capacity < 1 || capacity > MAX_CAPACITY || maxDatagramSize < 1
                || DatagramArray.size(capacity, maxDatagramSize) > MAX_SIZE) {
            throw new IllegalArgumentException("a batch of " + capacity + " datagrams of " + maxDatagramSize
                    + " bytes");
        }
    }

    /**
     * Receives the waiting datagrams, up to the capacity of the batch. If the batch is not {@linkplain #isFull() full}
     * afterwards, no datagram was left, and the next call is not needed until the socket is ready again.
     *
     * @return the number of datagrams received, 0 if none was waiting
     * @throws IllegalStateException if this batch is closed, or if it is an ordinary batch and a {@linkplain #coalesced
     *                               coalesced} one has been created for the socket
     * @throws SystemCallException   if an earlier datagram met an error, such as {@code ECONNREFUSED} from a connected
     *                               peer; those still waiting are not lost
     * @throws HandleClosedException if the socket is closed
     */
    public int receive() throws IOException {
        if (datagrams.isClosed()) {
            throw new IllegalStateException("the batch is closed");
        }
        if (coalesced == null) {
            socket.requireSeparate();
        }
        received = 0;
        count = 0;
        long result = datagrams.takeDeferredError();
        long fd = socket.descriptor.acquire();
        try {
            while (result == 0 || result < 0 && Errno.EINTR.is(result)) {
                result = socket.system.receiveFrom(fd, datagrams);
            }
        } finally {
            socket.descriptor.release();
        }
        received = (int) Math.max(0, result);
        count = coalesced == null ? received : coalesced.split(received);
        if (!SocketEndpoint.wouldBlock(result)) {
            socket.check("recvmmsg", result);
        }
        return count;
    }

    /** {@return the number of datagrams that the last call received} */
    public int count() {
        return count;
    }

    /** {@return whether the last call filled the batch, so that more datagrams may be waiting} */
    public boolean isFull() {
        return received == datagrams.capacity();
    }

    /**
     * {@return the bytes of a datagram, from position to limit, at most the maximum size of this batch; the same direct
     * buffer each time} In a {@linkplain #coalesced coalesced} batch the position is that of the datagram in the memory
     * of the whole batch.
     */
    public ByteBuffer datagram(int index) {
        Objects.checkIndex(index, count);
        if (coalesced != null) {
            return coalesced.datagram(index);
        }
        ByteBuffer view = views[index];
        return view.limit(Math.min(length(index), view.capacity())).position(0);
    }

    /**
     * {@return the full length of a datagram in bytes, greater than the maximum size of this batch if it was truncated}
     */
    public int length(int index) {
        Objects.checkIndex(index, count);
        return coalesced == null ? datagrams.length(index) : coalesced.length(index);
    }

    /** Copies the address that a datagram came from into the given object. */
    public void sender(int index, PeerAddress sender) {
        Objects.checkIndex(index, count);
        int message = coalesced == null ? index : coalesced.message(index);
        sender.readFrom(datagrams.memory(), datagrams.addressAt(message), datagrams.addressLength(message));
    }

    /**
     * Returns the number of datagrams that the system has dropped since the socket was opened, usually because its
     * receive buffer was full ({@link NativeSocketOptions#SO_RCVBUF}). This makes a system call, so it should be called
     * from time to time and not after every batch.
     *
     * @return the number so far; before Linux 4.12, the number at the arrival of the last datagram of this batch;
     *         always 0 on systems other than Linux, which do not count them
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

package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Cmsghdr;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Mmsghdr;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Receives the datagrams that wait on a socket several at a time, with one call where the system has one for that
 * ({@code recvmmsg} of Linux), and tells how many the system has dropped because they came faster.
 *
 * <p>Owns native memory, not the socket. What was received stays valid until the next {@link #receive()}. Belongs to
 * one thread at a time; receiving allocates nothing.
 */
public final class DatagramBatch implements Closeable {

    /** The most datagrams of a batch: Linux takes no more by one call. */
    public static final int LARGEST_CAPACITY = 1024;

    /** Room for control data, so that what follows is aligned. */
    private static final int CONTROL_SIZE = 32;

    private final SocketDatagram socket;
    private final int capacity;
    private final int room;
    private final MemoryBlock block;
    private final ByteBuffer memory;
    private final int vectors;
    private final int addresses;
    private final int controls;
    private final int data;
    private final ByteBuffer[] views;
    private final int[] lengths;
    private final int[] addressLengths;
    private int count;
    private int filled;
    private long postponed;
    private int lastDropped;
    private long dropped;

    /**
     * Makes an empty batch. Where the system counts what it drops, the socket begins to report that.
     *
     * @param socket   to receive from; stays the caller's
     * @param capacity how many datagrams to take at most by one call, 1 to {@value #LARGEST_CAPACITY}
     * @param room     how many bytes of each to take at most, at least 1; what is longer is cut off
     * @throws IllegalArgumentException if one of the numbers is out of range, or all of it would be more than 1 GiB
     * @throws IOException              if the socket is closed
     */
    public DatagramBatch(SocketDatagram socket, int capacity, int room) throws IOException {
        long size = capacity * ((long) Mmsghdr.SIZE + Iovec.SIZE + SockaddrStorage.SIZE + CONTROL_SIZE + room);
        if (capacity < 1 || capacity > LARGEST_CAPACITY || room < 1 || size > 1 << 30) {
            throw new IllegalArgumentException("a batch of " + capacity + " datagrams of " + room + " bytes");
        }
        this.socket = socket;
        this.capacity = capacity;
        this.room = room;
        vectors = capacity * Mmsghdr.SIZE;
        addresses = vectors + capacity * Iovec.SIZE;
        controls = addresses + capacity * SockaddrStorage.SIZE;
        data = controls + capacity * CONTROL_SIZE;
        views = new ByteBuffer[capacity];
        lengths = new int[capacity];
        addressLengths = new int[capacity];
        block = socket.memory.allocate((int) size);
        memory = block.buffer();
        try {
            socket.system.reportDrops(socket);
            for (int i = 0; i < capacity; i++) {
                views[i] = memory.slice(data + i * room, room);
            }
            filled = capacity;
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    /**
     * Receives the datagrams that wait, as many as there is room for. If that are fewer, no other waited: the next call
     * can be left until the socket is ready again.
     *
     * @return how many, 0 if none waited
     * @throws SystemCallException   if an earlier datagram met an error, such as {@code ECONNREFUSED} from a connected
     *                               peer; those that wait are not lost
     * @throws HandleClosedException if the socket is closed
     */
    public int receive() throws IOException {
        count = 0;
        long result = postponed;
        postponed = 0;
        long fd = socket.handle.acquire();
        try (Scratch scratch = Scratch.borrow(socket.handle.binding())) {
            while (result == 0 || Errno.EINTR.is(result)) {
                result = socket.system.receiveFrom(fd, this, scratch);
            }
            count = (int) Math.max(0, result);
            if (count < capacity && (count > 0 || SocketEndpoint.wouldBlock(result))) {
                // The control data of a datagram tell of those that were dropped before it. Nothing has come after the
                // last to tell of the end of a burst.
                noteDropped(socket.system.dropped(fd, scratch));
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
        return view.limit(Math.min(lengths[index], room)).position(0);
    }

    /**
     * How long a datagram was.
     *
     * @param index 0 to {@link #count()} - 1
     * @return its full length in bytes, more than there is room for if it was cut off
     * @throws IndexOutOfBoundsException if there is no such datagram
     */
    public int length(int index) {
        return lengths[Objects.checkIndex(index, count)];
    }

    /**
     * Tells where a datagram came from.
     *
     * @param index  0 to {@link #count()} - 1
     * @param sender is told
     * @throws IndexOutOfBoundsException if there is no such datagram
     */
    public void sender(int index, PeerAddress sender) {
        sender.readFrom(memory, address(Objects.checkIndex(index, count)), addressLengths[index]);
    }

    /**
     * How many datagrams the system has dropped since the socket was opened, mostly because its receive buffer was full
     * ({@link NativeSocketOptions#SO_RCVBUF}): all of them, if the last call did not fill the batch, otherwise those
     * before the last that it received.
     *
     * @return their number so far; 0 for ever where the system does not count them, which of those known here only
     *         Linux does
     */
    public long dropped() {
        return dropped;
    }

    // For OperatingSystem

    int capacity() {
        return capacity;
    }

    int room() {
        return room;
    }

    long dataAddress(int index) {
        return block.address() + data + (long) index * room;
    }

    private int address(int index) {
        return addresses + index * SockaddrStorage.SIZE;
    }

    /** Takes over the length of a datagram, and its sender from where {@code recvfrom} has put it. */
    void take(int index, int length, Scratch scratch) {
        int size = Math.min(scratch.memory().getInt(Scratch.LENGTH), SockaddrStorage.SIZE);
        lengths[index] = length;
        addressLengths[index] = size;
        memory.put(address(index), scratch.memory(), Scratch.ADDRESS, size);
    }

    /** Keeps a failure, that came after some datagrams, for the next call. */
    void postpone(long result) {
        postponed = result;
    }

    /** {@return the address of an array of {@link Mmsghdr} that are ready to be filled in} */
    long messages() {
        for (int i = 0; i < filled; i++) {
            int message = i * Mmsghdr.SIZE + Mmsghdr.HDR;
            int vector = vectors + i * Iovec.SIZE;
            Iovec.set(memory, vector, dataAddress(i), room);
            Msghdr.set(memory, message, block.address() + address(i), SockaddrStorage.SIZE, block.address() + vector,
                    1);
            Msghdr.control(memory, message, block.address() + control(i), Cmsghdr.SPACE_FOR_INT);
        }
        filled = 0;
        return block.address();
    }

    private int control(int index) {
        return controls + index * CONTROL_SIZE;
    }

    /** Takes over what the system has filled in. */
    void takeMessages(int received) {
        filled = received;
        for (int i = 0; i < received; i++) {
            int at = i * Mmsghdr.SIZE;
            lengths[i] = Mmsghdr.length(memory, at);
            addressLengths[i] = Msghdr.nameLength(memory, at + Mmsghdr.HDR);
        }
        int last = received - 1;
        int told = Msghdr.controlLength(memory, last * Mmsghdr.SIZE + Mmsghdr.HDR);
        int counter = Cmsghdr.findInt(memory, control(last), Math.min(told, Cmsghdr.SPACE_FOR_INT),
                SocketConstants.SOL_SOCKET, SocketConstants.SO_RXQ_OVFL);
        if (counter >= 0) {
            noteDropped(Cmsghdr.intData(memory, counter));
        }
    }

    // Both ways to ask read one counter of 32 bits, the control data as it was when their datagram came: later asked
    // may be earlier read.
    private void noteDropped(int counter) {
        int more = counter - lastDropped;
        if (more > 0) {
            dropped += more;
            lastDropped = counter;
        }
    }

    /** Frees the memory. The socket stays open. */
    @Override
    public void close() {
        count = 0;
        block.close();
    }
}

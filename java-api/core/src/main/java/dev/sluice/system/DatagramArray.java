package dev.sluice.system;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Cmsghdr;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Mmsghdr;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.UdpConstants;
import java.nio.ByteBuffer;

/**
 * Memory for receiving several datagrams at a time, with what the system reports for each: its length, its sender, how
 * many were dropped before it, and whether it is several that have been joined; or for sending several. Belongs to one
 * thread at a time.
 */
public final class DatagramArray implements AutoCloseable {

    /** Room for all the control data of a message, of a size that keeps what follows aligned. */
    static final int CONTROL_SIZE = 2 * Cmsghdr.SPACE_FOR_INT;

    private final int capacity;
    private final int room;
    private final MemoryBlock block;
    private final ByteBuffer memory;
    private final int vectors;
    private final int addresses;
    private final int controls;
    private final int runMessages;
    private final int data;
    private final boolean control;
    private final DatagramRuns runs;
    private boolean joining;
    private int filled;
    private long postponed;
    private int lastDropped;
    private long dropped;

    /**
     * Allocates it for datagrams that are to be received.
     *
     * @param memory   the memory to allocate from
     * @param capacity the maximum number of datagrams
     * @param room     the maximum length of a datagram in bytes
     * @param control  whether to take the control data in which the system reports what it has dropped, and joined
     * @return the array
     */
    public static DatagramArray toReceive(Memory memory, int capacity, int room, boolean control) {
        return new DatagramArray(memory, capacity, room, control, false);
    }

    /**
     * Allocates it for datagrams that are to be sent, otherwise as {@link #toReceive}.
     *
     * @param runs whether the system cuts messages into datagrams
     * @return the array
     */
    public static DatagramArray toSend(Memory memory, int capacity, int room, boolean runs) {
        return new DatagramArray(memory, capacity, room, false, runs);
    }

    private DatagramArray(Memory memory, int capacity, int room, boolean control, boolean runs) {
        this.capacity = capacity;
        this.room = room;
        vectors = capacity * Mmsghdr.SIZE;
        addresses = vectors + capacity * Iovec.SIZE;
        controls = addresses + capacity * SockaddrStorage.SIZE;
        runMessages = controls + capacity * CONTROL_SIZE;
        data = runMessages + (runs ? capacity * Mmsghdr.SIZE : 0);
        this.control = control;
        block = memory.allocate(data + capacity * room);
        this.memory = block.buffer();
        joining = runs;
        try {
            this.runs = runs ? new DatagramRuns(this) : null;
            for (int i = 0; i < capacity; i++) {
                int vector = vectorAt(i);
                Iovec.set(this.memory, vector, dataAddress(i), room);
                Msghdr.set(this.memory, message(i), address(addressAt(i)), SockaddrStorage.SIZE, address(vector), 1);
                resetLengths(i);
            }
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    /** {@return how many bytes such an array takes at most} */
    public static long size(int capacity, int room) {
        return capacity * (2L * Mmsghdr.SIZE + Iovec.SIZE + SockaddrStorage.SIZE + CONTROL_SIZE + room);
    }

    /** {@return the number of datagrams that there is room for} */
    public int capacity() {
        return capacity;
    }

    /** {@return how many bytes of each there is room for} */
    public int room() {
        return room;
    }

    /** {@return the memory, which holds the peers' addresses} */
    public ByteBuffer memory() {
        return memory;
    }

    /** {@return the room for a datagram's bytes} */
    public ByteBuffer view(int index) {
        return memory.slice(data + index * room, room);
    }

    /** {@return the room for the bytes of all datagrams, one after the other} */
    public ByteBuffer views() {
        return memory.slice(data, capacity * room);
    }

    /** {@return a datagram's full length in bytes} */
    public int length(int index) {
        return Mmsghdr.length(memory, index * Mmsghdr.SIZE);
    }

    /** {@return where in {@link #memory()} a datagram's sender is, or where it is to go} */
    public int addressAt(int index) {
        return addresses + index * SockaddrStorage.SIZE;
    }

    /** {@return the length of that address in bytes} */
    public int addressLength(int index) {
        return Msghdr.nameLength(memory, message(index));
    }

    /** {@return the length of each of the datagrams that have been joined to this one, 0 if none have} */
    public int segmentSize(int index) {
        int at = find(index, UdpConstants.SOL_UDP, UdpConstants.UDP_GRO);
        return at < 0 ? 0 : Math.max(0, Cmsghdr.intData(memory, at));
    }

    /** {@return the number of datagrams dropped, as far as is known} */
    public long dropped() {
        return dropped;
    }

    /**
     * Takes over the system's counter of dropped datagrams, which wraps around after 32 bits.
     *
     * @param counter the value that the system reported; a value that is behind the last one changes nothing
     */
    public void noteDropped(int counter) {
        int more = counter - lastDropped;
        if (more > 0) {
            dropped += more;
            lastDropped = counter;
        }
    }

    /**
     * {@return the negated error that occurred after some datagrams had been received, only once; 0 if there is none}
     */
    public long takePostponed() {
        long result = postponed;
        postponed = 0;
        return result;
    }

    /** Keeps a failure that occurred after some datagrams had been received. */
    void postpone(long result) {
        postponed = result;
    }

    long dataAddress(int index) {
        return block.address() + data + (long) index * room;
    }

    /** Takes over the length of a datagram, and its sender from where {@code recvfrom} put it. */
    void take(int index, int length, Scratch scratch) {
        int size = Math.min(scratch.memory().getInt(Scratch.LENGTH), SockaddrStorage.SIZE);
        take(index, length);
        Msghdr.nameLength(memory, message(index), size);
        memory.put(addressAt(index), scratch.memory(), Scratch.ADDRESS, size);
    }

    /** Takes over the length of a message that has been received alone. */
    void take(int index, int length) {
        Mmsghdr.length(memory, index * Mmsghdr.SIZE, length);
    }

    /** {@return the address of an array of {@link Mmsghdr}, ready to be filled in} */
    long messages() {
        for (int i = 0; i < filled; i++) {
            resetLengths(i);
        }
        filled = 0;
        return block.address();
    }

    /** Restores the lengths, which a call overwrites with the used ones; it leaves the rest of a message as it is. */
    private void resetLengths(int index) {
        Msghdr.nameLength(memory, message(index), SockaddrStorage.SIZE);
        if (control) {
            Msghdr.control(memory, message(index), address(controlAt(index)), CONTROL_SIZE);
        }
    }

    private static int message(int index) {
        return index * Mmsghdr.SIZE + Mmsghdr.HDR;
    }

    int controlAt(int index) {
        return controls + index * CONTROL_SIZE;
    }

    /** Takes over what the system has filled in. */
    void takeMessages(int received) {
        filled = received;
        if (control) {
            int counter = find(received - 1, SocketConstants.SOL_SOCKET, SocketConstants.SO_RXQ_OVFL);
            if (counter >= 0) {
                noteDropped(Cmsghdr.intData(memory, counter));
            }
        }
    }

    private int find(int index, int level, int type) {
        int length = Msghdr.controlLength(memory, message(index));
        return Cmsghdr.findInt(memory, controlAt(index), Math.min(length, CONTROL_SIZE), level, type);
    }

    /**
     * Puts in a datagram that is to be sent.
     *
     * @param index         its place
     * @param source        its bytes, which are copied, and for which there is room
     * @param addressLength the length of the address at {@link #addressAt}, 0 if the socket knows where to
     */
    public void put(int index, ByteBuffer source, int addressLength) {
        int length = source.remaining();
        memory.put(data + index * room, source, source.position(), length);
        Iovec.length(memory, vectorAt(index), length);
        Msghdr.nameLength(memory, message(index), addressLength);
    }

    /** {@return how many bytes of a datagram are to be sent} */
    long sendLength(int index) {
        return Iovec.length(memory, vectorAt(index));
    }

    int vectorAt(int index) {
        return vectors + index * Iovec.SIZE;
    }

    /** {@return where in {@link #memory()} a {@link Mmsghdr} for a run of datagrams is} */
    int runMessageAt(int index) {
        return runMessages + index * Mmsghdr.SIZE;
    }

    /** {@return the address of what is at that place in {@link #memory()}} */
    long address(int at) {
        return block.address() + at;
    }

    /** {@return what joins the datagrams that are to be sent, null if nothing does} */
    DatagramRuns runs() {
        return joining ? runs : null;
    }

    /** Says whether datagrams that are to be sent are joined, where the system cuts messages. */
    public void join(boolean wanted) {
        joining = wanted;
    }

    /**
     * Copies the address of a datagram that is to be sent to where {@code sendto} finds it.
     *
     * @return its length in bytes
     */
    int giveAddress(int index, Scratch scratch) {
        int size = addressLength(index);
        scratch.memory().put(Scratch.ADDRESS, memory, addressAt(index), size);
        return size;
    }

    /** {@return the address of the {@link Mmsghdr} of a datagram that is to be sent, where those after it follow} */
    long messagesFrom(int index) {
        return block.address() + (long) index * Mmsghdr.SIZE;
    }

    /** {@return whether the memory has been freed} */
    public boolean isClosed() {
        return block.isClosed();
    }

    /** Frees the memory. */
    @Override
    public void close() {
        block.close();
    }
}

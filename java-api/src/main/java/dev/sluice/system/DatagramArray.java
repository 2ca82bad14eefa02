package dev.sluice.system;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Cmsghdr;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Mmsghdr;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import java.nio.ByteBuffer;

/**
 * Memory for receiving several datagrams at a time, with what the system reports for each: its length, its sender, and
 * how many were dropped before it; or for sending several. Belongs to one thread at a time.
 */
public final class DatagramArray implements AutoCloseable {

    /** Room for control data, of a size that keeps what follows aligned. */
    private static final int CONTROL_SIZE = 32;

    private final int capacity;
    private final int room;
    private final MemoryBlock block;
    private final ByteBuffer memory;
    private final int vectors;
    private final int addresses;
    private final int controls;
    private final int data;
    private final boolean control;
    private int filled;
    private long postponed;
    private int lastDropped;
    private long dropped;

    /**
     * Allocates it.
     *
     * @param memory   the memory to allocate from
     * @param capacity how many datagrams there is room for
     * @param room     how many bytes of each datagram there is room for
     * @param control  whether to take the control data in which the system reports what it has dropped
     */
    public DatagramArray(Memory memory, int capacity, int room, boolean control) {
        this.capacity = capacity;
        this.room = room;
        vectors = capacity * Mmsghdr.SIZE;
        addresses = vectors + capacity * Iovec.SIZE;
        controls = addresses + capacity * SockaddrStorage.SIZE;
        data = controls + capacity * CONTROL_SIZE;
        this.control = control;
        block = memory.allocate((int) size(capacity, room));
        this.memory = block.buffer();
        for (int i = 0; i < capacity; i++) {
            int vector = vectors + i * Iovec.SIZE;
            Iovec.set(this.memory, vector, dataAddress(i), room);
            Msghdr.set(this.memory, message(i), block.address() + addressAt(i), SockaddrStorage.SIZE,
                    block.address() + vector, 1);
            makeRoom(i);
        }
    }

    /** {@return how many bytes such an array takes} */
    public static long size(int capacity, int room) {
        return capacity * ((long) Mmsghdr.SIZE + Iovec.SIZE + SockaddrStorage.SIZE + CONTROL_SIZE + room);
    }

    /** {@return how many datagrams there is room for} */
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

    /** {@return how many datagrams have been dropped, as far as is known} */
    public long dropped() {
        return dropped;
    }

    /**
     * Takes over the system's counter of dropped datagrams, which goes on at 0 after 32 bits.
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
        Mmsghdr.length(memory, index * Mmsghdr.SIZE, length);
        Msghdr.nameLength(memory, message(index), size);
        memory.put(addressAt(index), scratch.memory(), Scratch.ADDRESS, size);
        filled = index + 1;
    }

    /** {@return the address of an array of {@link Mmsghdr}, ready to be filled in} */
    long messages() {
        for (int i = 0; i < filled; i++) {
            makeRoom(i);
        }
        filled = 0;
        return block.address();
    }

    /** Restores what a call overwrites with what it has used; it leaves the rest of a message as it is. */
    private void makeRoom(int index) {
        Msghdr.nameLength(memory, message(index), SockaddrStorage.SIZE);
        if (control) {
            Msghdr.control(memory, message(index), block.address() + controlAt(index), Cmsghdr.SPACE_FOR_INT);
        }
    }

    private static int message(int index) {
        return index * Mmsghdr.SIZE + Mmsghdr.HDR;
    }

    private int controlAt(int index) {
        return controls + index * CONTROL_SIZE;
    }

    /** Takes over what the system has filled in. */
    void takeMessages(int received) {
        filled = received;
        if (control) {
            int last = received - 1;
            int told = Msghdr.controlLength(memory, message(last));
            int counter = Cmsghdr.findInt(memory, controlAt(last), Math.min(told, Cmsghdr.SPACE_FOR_INT),
                    SocketConstants.SOL_SOCKET, SocketConstants.SO_RXQ_OVFL);
            if (counter >= 0) {
                noteDropped(Cmsghdr.intData(memory, counter));
            }
        }
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
        Iovec.length(memory, vectors + index * Iovec.SIZE, length);
        Msghdr.nameLength(memory, message(index), addressLength);
    }

    /** {@return how many bytes of a datagram are to be sent} */
    long sendLength(int index) {
        return Iovec.length(memory, vectors + index * Iovec.SIZE);
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

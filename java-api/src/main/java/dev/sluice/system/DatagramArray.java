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
 * how many were dropped before it. Belongs to one thread at a time.
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
    private final int[] lengths;
    private final int[] addressLengths;
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
     */
    public DatagramArray(Memory memory, int capacity, int room) {
        this.capacity = capacity;
        this.room = room;
        vectors = capacity * Mmsghdr.SIZE;
        addresses = vectors + capacity * Iovec.SIZE;
        controls = addresses + capacity * SockaddrStorage.SIZE;
        data = controls + capacity * CONTROL_SIZE;
        lengths = new int[capacity];
        addressLengths = new int[capacity];
        block = memory.allocate((int) size(capacity, room));
        this.memory = block.buffer();
        filled = capacity;
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

    /** {@return the memory, which holds the senders' addresses} */
    public ByteBuffer memory() {
        return memory;
    }

    /** {@return the room for a datagram's bytes} */
    public ByteBuffer view(int index) {
        return memory.slice(data + index * room, room);
    }

    /** {@return a datagram's full length in bytes} */
    public int length(int index) {
        return lengths[index];
    }

    /** {@return where in {@link #memory()} a datagram's sender is} */
    public int addressAt(int index) {
        return addresses + index * SockaddrStorage.SIZE;
    }

    /** {@return the length of that address in bytes} */
    public int addressLength(int index) {
        return addressLengths[index];
    }

    /** {@return how many datagrams have been dropped, as far as is known} */
    public long dropped() {
        return dropped;
    }

    /**
     * Takes over a counter of dropped datagrams. Both ways to ask for it read one 32-bit counter, but control data hold
     * its value as of their datagram's arrival, so a value obtained later may be an older one.
     *
     * @param counter the value that the system reported
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
        lengths[index] = length;
        addressLengths[index] = size;
        memory.put(addressAt(index), scratch.memory(), Scratch.ADDRESS, size);
    }

    /** {@return the address of an array of {@link Mmsghdr}, ready to be filled in} */
    long messages() {
        for (int i = 0; i < filled; i++) {
            int message = i * Mmsghdr.SIZE + Mmsghdr.HDR;
            int vector = vectors + i * Iovec.SIZE;
            Iovec.set(memory, vector, dataAddress(i), room);
            Msghdr.set(memory, message, block.address() + addressAt(i), SockaddrStorage.SIZE,
                    block.address() + vector, 1);
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

    /** Frees the memory. */
    @Override
    public void close() {
        block.close();
    }
}

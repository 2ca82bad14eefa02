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
 * Memory for receiving or sending several datagrams at a time. For each received one, the system reports its length,
 * its sender, the number of datagrams dropped before it, and whether it consists of several coalesced ones. Confined to
 * one thread at a time.
 */
public final class DatagramArray implements AutoCloseable {

    /** Space for the control data of a message, of a size that keeps the following data aligned. */
    static final int CONTROL_SIZE = 2 * Cmsghdr.SPACE_FOR_INT;

    private final int capacity;
    private final int maxDatagramSize;
    private final MemoryBlock block;
    private final ByteBuffer memory;
    private final int vectors;
    private final int addresses;
    private final int controls;
    private final int runMessages;
    private final int data;
    private final boolean control;
    private final DatagramRuns runs;
    private boolean segmenting;
    private int filled;
    private long deferredError;
    private int lastDropped;
    private long dropped;

    /**
     * Creates an array for receiving.
     *
     * @param memory          the memory to allocate from
     * @param capacity        the maximum number of datagrams
     * @param maxDatagramSize the maximum length of a datagram in bytes
     * @param control         whether to receive control data, in which the system reports dropped and coalesced
     *                        datagrams
     * @return the array
     */
    public static DatagramArray toReceive(Memory memory, int capacity, int maxDatagramSize, boolean control) {
        return new DatagramArray(memory, capacity, maxDatagramSize, control, false);
    }

    /**
     * Creates an array for sending, otherwise as {@link #toReceive}.
     *
     * @param segmentation whether the system splits a message into datagrams
     * @return the array
     */
    public static DatagramArray toSend(Memory memory, int capacity, int maxDatagramSize, boolean segmentation) {
        return new DatagramArray(memory, capacity, maxDatagramSize, false, segmentation);
    }

    private DatagramArray(Memory memory, int capacity, int maxDatagramSize, boolean control, boolean segmentation) {
        this.capacity = capacity;
        this.maxDatagramSize = maxDatagramSize;
        vectors = capacity * Mmsghdr.SIZE;
        addresses = vectors + capacity * Iovec.SIZE;
        controls = addresses + capacity * SockaddrStorage.SIZE;
        runMessages = controls + capacity * CONTROL_SIZE;
        data = runMessages + (segmentation ? capacity * Mmsghdr.SIZE : 0);
        this.control = control;
        block = memory.allocate(data + capacity * maxDatagramSize);
        this.memory = block.buffer();
        segmenting = segmentation;
        try {
            this.runs = segmentation ? new DatagramRuns(this) : null;
            for (int i = 0; i < capacity; i++) {
                int vector = vectorAt(i);
                Iovec.set(this.memory, vector, dataAddress(i), maxDatagramSize);
                Msghdr.set(this.memory, message(i), address(addressAt(i)), SockaddrStorage.SIZE, address(vector), 1);
                resetLengths(i);
            }
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    /** {@return the maximum size of such an array in bytes} */
    public static long size(int capacity, int maxDatagramSize) {
        return capacity * (2L * Mmsghdr.SIZE + Iovec.SIZE + SockaddrStorage.SIZE + CONTROL_SIZE + maxDatagramSize);
    }

    /** {@return the maximum number of datagrams} */
    public int capacity() {
        return capacity;
    }

    /** {@return the maximum length of a datagram in bytes} */
    public int maxDatagramSize() {
        return maxDatagramSize;
    }

    /** {@return the memory, which contains the peers' addresses} */
    public ByteBuffer memory() {
        return memory;
    }

    /** {@return a new view of the memory for a datagram's bytes} */
    public ByteBuffer view(int index) {
        return memory.slice(data + index * maxDatagramSize, maxDatagramSize);
    }

    /** {@return a new view of the memory for the bytes of all datagrams, in order} */
    public ByteBuffer views() {
        return memory.slice(data, capacity * maxDatagramSize);
    }

    /** {@return a datagram's full length in bytes} */
    public int length(int index) {
        return Mmsghdr.length(memory, index * Mmsghdr.SIZE);
    }

    /** {@return the offset in {@link #memory()} of the address of a datagram's sender or receiver} */
    public int addressAt(int index) {
        return addresses + index * SockaddrStorage.SIZE;
    }

    /** {@return the length of that address in bytes} */
    public int addressLength(int index) {
        return Msghdr.nameLength(memory, message(index));
    }

    /**
     * {@return the length of each of the datagrams that have been coalesced into this message; 0 if it is a single one}
     */
    public int segmentSize(int index) {
        int at = find(index, UdpConstants.SOL_UDP, UdpConstants.UDP_GRO);
        return at < 0 ? 0 : Math.max(0, Cmsghdr.intData(memory, at));
    }

    /** {@return the known number of datagrams dropped} */
    public long dropped() {
        return dropped;
    }

    /**
     * Updates the number of dropped datagrams from the system's counter, which wraps around after 32 bits.
     *
     * @param counter the value that the system reported; ignored if it is behind the previous one
     */
    public void noteDropped(int counter) {
        int more = counter - lastDropped;
        if (more > 0) {
            dropped += more;
            lastDropped = counter;
        }
    }

    /**
     * {@return the negated number of an error that occurred after some datagrams had been received; 0 if there is none}
     * The error is returned once.
     */
    public long takeDeferredError() {
        long result = deferredError;
        deferredError = 0;
        return result;
    }

    /** Stores the negated number of an error that occurred after some datagrams had been received. */
    void deferError(long result) {
        deferredError = result;
    }

    long dataAddress(int index) {
        return block.address() + data + (long) index * maxDatagramSize;
    }

    /** Stores the length of a datagram, and its sender, which {@code recvfrom} has written into the scratch memory. */
    void take(int index, int length, Scratch scratch) {
        int size = Math.min(scratch.memory().getInt(Scratch.LENGTH), SockaddrStorage.SIZE);
        take(index, length);
        Msghdr.nameLength(memory, message(index), size);
        memory.put(addressAt(index), scratch.memory(), Scratch.ADDRESS, size);
    }

    /** Stores the length of a message that has been received individually. */
    void take(int index, int length) {
        Mmsghdr.length(memory, index * Mmsghdr.SIZE, length);
    }

    /** Resets the messages. Returns the address of the array of {@link Mmsghdr}, for the system to fill in. */
    long messages() {
        for (int i = 0; i < filled; i++) {
            resetLengths(i);
        }
        filled = 0;
        return block.address();
    }

    /** Restores the lengths, which a call overwrites with the used ones. */
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

    /** Records that the system has filled in the given number of messages. */
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
     * Stores a datagram that is to be sent.
     *
     * @param index         its index
     * @param source        its bytes, at most the maximum length; copied
     * @param addressLength the length of the address at {@link #addressAt}, 0 if the socket is connected
     */
    public void put(int index, ByteBuffer source, int addressLength) {
        int length = source.remaining();
        memory.put(data + index * maxDatagramSize, source, source.position(), length);
        Iovec.length(memory, vectorAt(index), length);
        Msghdr.nameLength(memory, message(index), addressLength);
    }

    /** {@return the length of a datagram that is to be sent} */
    long sendLength(int index) {
        return Iovec.length(memory, vectorAt(index));
    }

    int vectorAt(int index) {
        return vectors + index * Iovec.SIZE;
    }

    /** {@return the offset in {@link #memory()} of a {@link Mmsghdr} for a run of datagrams} */
    int runMessageAt(int index) {
        return runMessages + index * Mmsghdr.SIZE;
    }

    /** {@return the address of an offset in {@link #memory()}} */
    long address(int at) {
        return block.address() + at;
    }

    /** {@return the object that combines datagrams that are to be sent; null if segmentation is off} */
    DatagramRuns runs() {
        return segmenting ? runs : null;
    }

    /** Switches segmentation on or off, if the system supports it. */
    public void useSegmentation(boolean enabled) {
        segmenting = enabled;
    }

    /**
     * Copies the address of a datagram that is to be sent into the scratch memory, for {@code sendto}.
     *
     * @return its length in bytes
     */
    int copyAddress(int index, Scratch scratch) {
        int size = addressLength(index);
        scratch.memory().put(Scratch.ADDRESS, memory, addressAt(index), size);
        return size;
    }

    /** {@return the address of the {@link Mmsghdr} of a datagram, which is followed by those of the next datagrams} */
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

package dev.sluice.wine;

import dev.sluice.calls.layout.TransmitFileBuffers;
import dev.sluice.calls.layout.Wsabuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The memory that one call transfers from or to. Memory in the region is used as it is; for the rest there is a copy in
 * the region, filled before a call that sends, and read back after a call that receives. Started by one thread and
 * ended by any.
 */
final class Transfer {

    /** Which way the bytes go. */
    enum Direction {
        /** Into the memory. */
        RECEIVE,
        /** Out of the memory. */
        SEND
    }

    private record Part(long original, long seen, int length) {
    }

    private final SharedHeap heap;
    private final ForeignBuffers foreign;
    private final HostFunction function;
    private final Direction direction;
    private final List<Part> parts = new ArrayList<>();
    private final Deque<Runnable> frees = new ArrayDeque<>();

    Transfer(SharedHeap heap, ForeignBuffers foreign, HostFunction function, Direction direction) {
        this.heap = heap;
        this.foreign = foreign;
        this.function = function;
        this.direction = direction;
    }

    /**
     * Adds memory.
     *
     * @return where the host finds it
     * @throws IllegalArgumentException if it is neither in the region nor known to belong to a direct buffer
     */
    synchronized long buffer(String argument, long address, int length) {
        if (!foreign.contains(address, length)) {
            parts.add(new Part(address, address, length));
            return function.seen(argument, address, length);
        }
        // Windows requires an address even for nothing.
        long seen = allocate(Math.max(length, 1));
        if (direction == Direction.SEND) {
            LinuxCalls.memcpy(seen, address, length);
        }
        parts.add(new Part(address, seen, length));
        return seen;
    }

    /**
     * Adds what an array of {@code WSABUF} lists.
     *
     * @return the address of an array that lists where the host finds it; Winsock reads the array only during the call
     */
    synchronized long buffers(String argument, long array, int count) {
        function.seen(argument, array, (long) count * Wsabuf.SIZE);
        if (array == 0 || count <= 0) {
            return array;
        }
        ByteBuffer bytes = heap.bytes();
        long translated = allocate(count * Wsabuf.SIZE);
        for (int i = 0; i < count; i++) {
            int at = SharedRegion.index(array) + i * Wsabuf.SIZE;
            int length = bytes.getInt(at + Wsabuf.LEN);
            long seen = buffer(argument + "[" + i + "]", bytes.getLong(at + Wsabuf.BUF), length);
            Wsabuf.set(bytes, SharedRegion.index(translated) + i * Wsabuf.SIZE, seen, length);
        }
        return translated;
    }

    /** Adds what a {@code TRANSMIT_FILE_BUFFERS} lists, as {@link #buffers}; there may be none. */
    synchronized long transmitFileBuffers(String argument, long address) {
        function.seen(argument, address, TransmitFileBuffers.SIZE);
        if (address == 0) {
            return 0;
        }
        ByteBuffer bytes = heap.bytes();
        int at = SharedRegion.index(address);
        int headLength = bytes.getInt(at + TransmitFileBuffers.HEAD_LENGTH);
        int tailLength = bytes.getInt(at + TransmitFileBuffers.TAIL_LENGTH);
        long head = buffer(argument + ".Head", bytes.getLong(at + TransmitFileBuffers.HEAD), headLength);
        long tail = buffer(argument + ".Tail", bytes.getLong(at + TransmitFileBuffers.TAIL), tailLength);
        long translated = allocate(TransmitFileBuffers.SIZE);
        TransmitFileBuffers.set(bytes, SharedRegion.index(translated), head, headLength, tail, tailLength);
        return translated;
    }

    /** Copies back what has been received, and gives up the copies. */
    synchronized void end(long transferred) {
        long left = direction == Direction.RECEIVE ? transferred : 0;
        for (Part part : parts) {
            long here = Math.min(left, part.length());
            if (here > 0 && part.original() != part.seen()) {
                LinuxCalls.memcpy(part.original(), part.seen(), here);
            }
            left -= here;
        }
        frees.forEach(Runnable::run);
        frees.clear();
        parts.clear();
    }

    private long allocate(int size) {
        long address = heap.allocate(size);
        frees.add(() -> heap.free(address, size));
        return address;
    }
}

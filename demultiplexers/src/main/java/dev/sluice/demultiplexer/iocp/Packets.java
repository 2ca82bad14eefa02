package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.OverlappedEntry;

/** Room for the packets that one wait takes from a port. Used by the waiting thread. */
final class Packets implements AutoCloseable {

    /** So that one thread does not take everything while others sleep. */
    private static final int MOST = 128;

    private final int capacity;
    private final MemoryBlock memory;

    Packets(Memory memory, int wanted) {
        this.capacity = Math.min(wanted, MOST);
        this.memory = memory.allocate(capacity * OverlappedEntry.SIZE + Integer.BYTES);
    }

    int capacity() {
        return capacity;
    }

    /** {@return the address of the array} */
    long entries() {
        return memory.address();
    }

    private int countAt() {
        return capacity * OverlappedEntry.SIZE;
    }

    /** {@return the address of the number of packets} */
    long countAddress() {
        return memory.address() + countAt();
    }

    int count() {
        return memory.buffer().getInt(countAt());
    }

    void count(int count) {
        memory.buffer().putInt(countAt(), count);
    }

    /** {@return the address of the call's structure, 0 if the packet stands for no call} */
    long overlapped(int index) {
        return memory.buffer().getLong(index * OverlappedEntry.SIZE + OverlappedEntry.OVERLAPPED);
    }

    /** {@return how many bytes the call has moved} */
    long transferred(int index) {
        return memory.buffer().getInt(index * OverlappedEntry.SIZE + OverlappedEntry.NUMBER_OF_BYTES_TRANSFERRED)
                & 0xffffffffL;
    }

    @Override
    public void close() {
        memory.close();
    }
}

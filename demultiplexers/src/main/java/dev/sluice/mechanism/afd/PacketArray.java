package dev.sluice.mechanism.afd;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.OverlappedEntry;

/** The memory that a wait at a completion port fills in. */
final class PacketArray implements AutoCloseable {

    private static final int COUNT = 0;
    private static final int PACKETS = Long.BYTES;

    private final MemoryBlock memory;
    private final int capacity;

    PacketArray(Memory memory, int capacity) {
        this.capacity = capacity;
        this.memory = memory.allocate(
                Math.addExact(PACKETS, Math.multiplyExact(capacity, OverlappedEntry.SIZE)));
    }

    int capacity() {
        return capacity;
    }

    long address() {
        return memory.address() + PACKETS;
    }

    long countAddress() {
        return memory.address() + COUNT;
    }

    int count() {
        return memory.buffer().getInt(COUNT);
    }

    /** {@return the identifier of the request that a packet is about} */
    long identifier(int index) {
        return memory.buffer().getLong(PACKETS + index * OverlappedEntry.SIZE + OverlappedEntry.OVERLAPPED);
    }

    @Override
    public void close() {
        memory.close();
    }
}

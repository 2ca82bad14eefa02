package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.OverlappedEntry;

/** The layout of the memory that a wait at a completion port fills in: the number of packets, and the packets. */
public final class PacketArray {

    private static final int COUNT = 0;
    private static final int PACKETS = Long.BYTES;

    private PacketArray() {
    }

    /** {@return the size of the memory for the given number of packets, in bytes} */
    public static int bytes(int capacity) {
        return Math.addExact(PACKETS, Math.multiplyExact(capacity, OverlappedEntry.SIZE));
    }

    static long address(MemoryBlock memory) {
        return memory.address() + PACKETS;
    }

    static long countAddress(MemoryBlock memory) {
        return memory.address() + COUNT;
    }

    static int count(MemoryBlock memory) {
        return memory.buffer().getInt(COUNT);
    }

    /** {@return the identifier of the request that a packet reports} */
    public static long identifier(MemoryBlock memory, int index) {
        return memory.buffer().getLong(PACKETS + index * OverlappedEntry.SIZE + OverlappedEntry.OVERLAPPED);
    }

    /** {@return the number of bytes that the request has transferred} */
    public static long transferred(MemoryBlock memory, int index) {
        return memory.buffer().getInt(PACKETS + index * OverlappedEntry.SIZE
                + OverlappedEntry.NUMBER_OF_BYTES_TRANSFERRED) & 0xffffffffL;
    }
}

package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.OverlappedEntry;
import dev.sluice.demultiplexer.operation.CollectedCompletions;

/** Completions, and the memory for the packets that one wait takes from a port. */
final class PortCompletions extends CollectedCompletions {

    /** So that one thread does not take everything while others sleep. */
    private static final int MAX_PACKETS = 128;

    private final int maxPackets;
    private final MemoryBlock memory;

    PortCompletions(IocpDemultiplexer port, Memory memory, int capacity) {
        super(port, capacity);
        this.maxPackets = Math.min(capacity, MAX_PACKETS);
        this.memory = memory.allocate(maxPackets * OverlappedEntry.SIZE + Integer.BYTES);
    }

    int maxPackets() {
        return maxPackets;
    }

    /** {@return the address of the array of packets} */
    long packetsAddress() {
        return memory.address();
    }

    private int countAt() {
        return maxPackets * OverlappedEntry.SIZE;
    }

    /** {@return the address of the number of packets} */
    long countAddress() {
        return memory.address() + countAt();
    }

    int packets() {
        return memory.buffer().getInt(countAt());
    }

    void clearPackets() {
        memory.buffer().putInt(countAt(), 0);
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
        super.close();
        memory.close();
    }
}

package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.afd.CompletionPort;
import dev.sluice.demultiplexer.afd.PacketArray;
import dev.sluice.demultiplexer.operation.CollectedCompletions;
import dev.sluice.handle.SystemCallException;

/** Completions, and the memory for the packets that one wait takes from a port. */
final class PortCompletions extends CollectedCompletions {

    /** So that one thread does not take everything while others sleep. */
    private static final int MAX_PACKETS = 128;

    private final int maxPackets;
    private final MemoryBlock memory;
    private int packets;

    PortCompletions(IocpDemultiplexer port, Memory memory, int capacity) {
        super(port, capacity);
        this.maxPackets = Math.min(capacity, MAX_PACKETS);
        this.memory = memory.allocate(PacketArray.bytes(maxPackets));
    }

    /** Waits for packets at a port. */
    void await(CompletionPort port, long timeoutNanos) throws SystemCallException {
        packets = 0;
        int result = port.await(memory, maxPackets, timeoutNanos);
        if (result < 0) {
            throw new SystemCallException("GetQueuedCompletionStatusEx", IocpDemultiplexer.NAME, result);
        }
        packets = result;
    }

    /** {@return the number of packets} */
    int packets() {
        return packets;
    }

    void clearPackets() {
        packets = 0;
    }

    /** {@return the address of the call's structure, 0 if the packet stands for no call} */
    long overlapped(int index) {
        return PacketArray.identifier(memory, index);
    }

    /** {@return the number of bytes that the call has moved} */
    long transferred(int index) {
        return PacketArray.transferred(memory, index);
    }

    @Override
    public void close() {
        super.close();
        memory.close();
    }
}

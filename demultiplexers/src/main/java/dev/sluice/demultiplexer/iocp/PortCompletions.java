package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.afd.CompletionPort;
import dev.sluice.demultiplexer.afd.PacketArray;
import dev.sluice.demultiplexer.operation.CollectedCompletions;
import dev.sluice.handle.SystemCallException;

/** A batch of completions, and the memory for the packets of one wait. */
final class PortCompletions extends CollectedCompletions {

    /** The maximum number of packets of one wait, so that one thread does not take all of them while others sleep. */
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

    /** {@return the address of the {@code OVERLAPPED} of the call; 0 if the packet is a signal} */
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

package dev.sluice.demultiplexers.iocp;

import dev.sluice.calls.Memory;
import dev.sluice.demultiplexers.operation.CollectedCompletions;

/** Completions, and the packets that they come from. */
final class PortCompletions extends CollectedCompletions {

    private final Packets packets;

    PortCompletions(Memory memory, int capacity) {
        super(capacity);
        packets = new Packets(memory, capacity);
    }

    Packets packets() {
        return packets;
    }

    @Override
    public void close() {
        super.close();
        packets.close();
    }
}

package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Memory;
import dev.sluice.demultiplexer.operation.CollectedCompletions;

/** Completions, and the packets that they come from. */
final class PortCompletions extends CollectedCompletions {

    private final Packets packets;

    PortCompletions(IocpDemultiplexer port, Memory memory, int capacity) {
        super(port, capacity);
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

package dev.sluice.mechanism.afd;

import dev.sluice.calls.Memory;
import dev.sluice.mechanism.handleset.CollectedHandles;

/** A batch together with the packets that it comes from; each waiting thread has its own. */
final class AfdReadyHandles extends CollectedHandles {

    private final PacketArray packets;

    AfdReadyHandles(Memory memory, int capacity) {
        super(AfdDemultiplexer.class, capacity);
        packets = new PacketArray(memory, capacity);
    }

    PacketArray packets() {
        return packets;
    }

    @Override
    public void close() {
        super.close();
        packets.close();
    }
}

package dev.sluice.mechanism.afd;

import dev.sluice.calls.Memory;
import dev.sluice.demultiplexer.ReadyHandles;

/** A batch with the packets that it comes from: one of each for every waiting thread. */
final class AfdReadyHandles extends ReadyHandles {

    private final PacketArray packets;

    AfdReadyHandles(Memory memory, int capacity) {
        super(capacity);
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

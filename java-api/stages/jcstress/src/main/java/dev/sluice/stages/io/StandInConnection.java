package dev.sluice.stages.io;

import dev.sluice.stages.EnqueueResult;
import java.nio.ByteBuffer;

/** What sends packets, as far as their queue is concerned. */
final class StandInConnection {

    private final OutgoingQueue queue;
    private int polled;
    private int polledBytes;

    StandInConnection(int maxPackets) {
        queue = new OutgoingQueue(maxPackets, 100);
    }

    OutgoingQueue queue() {
        return queue;
    }

    /** {@return 1 if a packet of this size, in bytes, was accepted, otherwise 0} */
    int add(int bytes) {
        return queue.add(ByteBuffer.allocate(bytes), null, null) == EnqueueResult.ACCEPTED ? 1 : 0;
    }

    /** Polls and releases what there is when the actors are done. */
    void sendAll() {
        for (OutgoingPacket packet = queue.poll(); packet != null; packet = queue.poll()) {
            polled++;
            polledBytes += packet.size;
            release();
        }
    }

    /** Releases the only packet that has been polled. */
    void release() {
        queue.complete(null);
        queue.release();
    }

    /** {@return the number of packets polled} */
    int polled() {
        return polled;
    }

    /** {@return the number of bytes that these had} */
    int polledBytes() {
        return polledBytes;
    }
}

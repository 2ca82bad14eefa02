package dev.sluice.stages.io;

import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A packet to be sent; the object is reused afterwards. It contains the link to the next packet, so that lists of
 * packets need no nodes.
 */
final class OutgoingPacket {

    @Nullable ByteBuffer bytes;
    /** Number of its bytes when it was added. */
    int size;
    @Nullable Object token;
    /** The queue for the event that reports the completion of the packet; null for none. */
    @Nullable EventQueue<? super SocketEvent> target;
    /** The reason why it was not sent. */
    @Nullable IOException cause;
    @Nullable OutgoingPacket next;
    /**
     * Approximate number of packets from here to the end of a stack: other threads may have taken the packets below,
     * and put them back elsewhere, while this one was added.
     */
    int depth;

    /** Clears all references. */
    void clear() {
        bytes = null;
        size = 0;
        token = null;
        target = null;
        cause = null;
        next = null;
    }
}

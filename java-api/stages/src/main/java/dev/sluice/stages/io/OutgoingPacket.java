package dev.sluice.stages.io;

import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A packet to be sent; used again for others after that. It is its own link in whatever it waits in, so that no
 * nodes are needed.
 */
final class OutgoingPacket {

    ByteBuffer bytes;
    /** Number of its bytes when it was added. */
    int size;
    Object token;
    /** Gets the event that reports the outcome of the packet; null for none. */
    EventQueue<? super SocketEvent> target;
    /** Why it was not sent. */
    IOException cause;
    OutgoingPacket next;
    /**
     * About how many there are from here to the end of a stack: others may have taken what is below, and put it back
     * elsewhere, while this was put there.
     */
    int depth;

    /** It is over, and keeps nothing alive. */
    void clear() {
        bytes = null;
        size = 0;
        token = null;
        target = null;
        cause = null;
        next = null;
    }
}

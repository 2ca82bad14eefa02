package dev.sluice.stages.io;

import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A packet on its way out; used again for others after that. It is its own link in whatever it waits in, so that no
 * nodes are needed.
 */
final class OutgoingPacket {

    ByteBuffer bytes;
    /** How many bytes there were when it was given. */
    int size;
    Object token;
    /** Gets the event that says what has become of the packet; null for none. */
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

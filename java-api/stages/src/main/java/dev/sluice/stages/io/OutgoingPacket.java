package dev.sluice.stages.io;

import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A packet on its way out; used again for others after that. It is its own link in whatever it waits in, so that no
 * nodes are needed.
 */
final class OutgoingPacket {

    private ByteBuffer bytes;
    private int size;
    private Object token;
    private EventQueue<? super SocketEvent> target;
    /** Why it was not sent. */
    private IOException cause;
    private OutgoingPacket next;
    /**
     * About how many there are from here to the end of a stack: others may have taken what is below, and put it back
     * elsewhere, while this was put there.
     */
    private int depth;

    void set(ByteBuffer newBytes, Object newToken, EventQueue<? super SocketEvent> newTarget) {
        bytes = newBytes;
        size = newBytes.remaining();
        token = newToken;
        target = newTarget;
    }

    /** It is over, and keeps nothing alive. */
    void clear() {
        bytes = null;
        size = 0;
        token = null;
        target = null;
        cause = null;
        next = null;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /** {@return how many bytes there were when it was given} */
    int size() {
        return size;
    }

    /** {@return where to tell what has become of it; null for nowhere} */
    EventQueue<? super SocketEvent> target() {
        return target;
    }

    Object token() {
        return token;
    }

    void setCause(IOException why) {
        cause = why;
    }

    PacketSent sent(AsyncConnection connection) {
        return new PacketSent(connection, token, cause);
    }

    OutgoingPacket next() {
        return next;
    }

    void setNext(OutgoingPacket newNext) {
        next = newNext;
    }

    int depth() {
        return depth;
    }

    void setDepth(int newDepth) {
        depth = newDepth;
    }
}

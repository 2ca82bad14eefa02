package dev.sluice.stage.io;

import dev.sluice.stage.EventQueue;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A packet on its way out. */
final class OutgoingPacket {

    private final ByteBuffer bytes;
    private final int size;
    private final Object token;
    private final EventQueue<? super SocketEvent> target;
    /** Why it was not sent. */
    private IOException cause;

    OutgoingPacket(ByteBuffer bytes, Object token, EventQueue<? super SocketEvent> target) {
        this.bytes = bytes;
        size = bytes.remaining();
        this.token = token;
        this.target = target;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /** {@return how many bytes there were when it was accepted} */
    int size() {
        return size;
    }

    /** {@return where to tell what has become of it; null for nowhere} */
    EventQueue<? super SocketEvent> target() {
        return target;
    }

    void setCause(IOException why) {
        cause = why;
    }

    PacketSent sent(AsyncConnection connection) {
        return new PacketSent(connection, token, cause);
    }
}

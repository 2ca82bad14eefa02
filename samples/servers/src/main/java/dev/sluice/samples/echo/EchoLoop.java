package dev.sluice.samples.echo;

import dev.sluice.calls.Bindings;
import dev.sluice.samples.server.Connections;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** What the echo handlers of one reactor share. For its loop thread. */
final class EchoLoop {

    /**
     * A message that fills the buffer costs a second look at the socket, and a longer one a call for each part. There
     * is one buffer, and it is longer than what a socket has received by default.
     */
    private static final int BUFFER_SIZE = 256 * 1024;
    /** What a slow peer has not taken yet is copied into shorter ones. */
    static final int KEPT_SIZE = 64 * 1024;
    /** Buffers kept for the next slow peers; what more there are is left to the collector. */
    private static final int MAX_SPARE = 64;

    private final Connections connections;
    private final Deque<ByteBuffer> spare = new ArrayDeque<>();
    private final ByteBuffer buffer = Bindings.current().memory().allocateBuffer(BUFFER_SIZE);

    EchoLoop(Connections connections) {
        this.connections = connections;
    }

    Connections connections() {
        return connections;
    }

    /**
     * {@return the one buffer that all handlers receive into, empty}
     *
     * @param most how many bytes it has room for, at the most
     */
    ByteBuffer buffer(int most) {
        return buffer.clear().limit(Math.min(most, BUFFER_SIZE));
    }

    /** {@return an empty buffer to keep bytes in} */
    ByteBuffer spare() {
        ByteBuffer next = spare.poll();
        return next != null ? next.clear() : Bindings.current().memory().allocateBuffer(KEPT_SIZE);
    }

    void takeBack(ByteBuffer given) {
        if (spare.size() < MAX_SPARE) {
            spare.push(given);
        }
    }
}

package dev.sluice.samples.echo;

import dev.sluice.calls.Bindings;
import dev.sluice.samples.server.Connections;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** What the echo handlers of one reactor share. For its loop thread. */
final class EchoLoop {

    private static final int BUFFER_SIZE = 64 * 1024;
    /** Buffers kept for the next slow peers; what more there are is left to the collector. */
    private static final int MOST_SPARE = 64;

    private final Connections connections;
    private final Deque<ByteBuffer> spare = new ArrayDeque<>();
    private ByteBuffer buffer = Bindings.current().memory().allocateBuffer(BUFFER_SIZE);

    EchoLoop(Connections connections) {
        this.connections = connections;
    }

    Connections connections() {
        return connections;
    }

    /** {@return the one buffer that all handlers receive into, empty} */
    ByteBuffer buffer() {
        return buffer.clear();
    }

    /**
     * Gives the buffer with what it still holds to a handler; the others go on with another one, so nothing is copied.
     */
    ByteBuffer giveAway() {
        ByteBuffer given = buffer;
        ByteBuffer next = spare.poll();
        buffer = next != null ? next : Bindings.current().memory().allocateBuffer(BUFFER_SIZE);
        return given;
    }

    void takeBack(ByteBuffer given) {
        if (spare.size() < MOST_SPARE) {
            spare.push(given);
        }
    }
}

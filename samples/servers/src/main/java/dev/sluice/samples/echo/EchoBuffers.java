package dev.sluice.samples.echo;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.ProvidedBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where the connections of one proactor keep what they are sending. Provided buffers are kept as they come, but there
 * is an end to these, and peers that do not read must not occupy all of them: beyond a limit bytes are copied. For the
 * loop thread.
 */
final class EchoBuffers {

    private static final int MAX_RETAINED = 128;

    private final Deque<ByteBuffer> spare = new ArrayDeque<>();
    private int kept;

    /**
     * Keeps bytes until they are given back.
     *
     * @param received what has just been received
     * @return what holds them now: the provided buffer, or a {@link ByteBuffer}
     */
    Object hold(ProvidedBuffer received) {
        if (kept < MAX_RETAINED) {
            kept++;
            return received.keep();
        }
        ByteBuffer bytes = received.buffer();
        return empty(bytes.capacity()).put(bytes).flip();
    }

    /** {@return an empty buffer with at least this capacity} */
    ByteBuffer empty(int capacity) {
        ByteBuffer buffer = spare.poll();
        return buffer != null && buffer.capacity() >= capacity ? buffer.clear()
                : Bindings.current().memory().allocateBuffer(capacity);
    }

    /** Gives back what {@link #hold} or {@link #empty} returned. */
    void giveBack(Object held) {
        if (held instanceof ProvidedBuffer provided) {
            provided.release();
            kept--;
        } else {
            spare.push((ByteBuffer) held);
        }
    }
}

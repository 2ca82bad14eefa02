package dev.sluice.samples.echo;

import dev.sluice.calls.Bindings;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The buffers of one reactor's conversations, which any thread may run: one for each running quantum, and one for each
 * peer that has not taken its echo yet. Thread-safe.
 */
final class SharedBuffers {

    private static final int SIZE = 64 * 1024;
    /** Maximum number of buffers kept for further slow peers; more are left to the garbage collector. */
    private static final int MAX_SPARE = 64;

    private final Deque<ByteBuffer> spare = new ArrayDeque<>();

    /** {@return an empty buffer, to be returned} */
    ByteBuffer take() {
        ByteBuffer buffer;
        synchronized (spare) {
            buffer = spare.poll();
        }
        return buffer == null ? Bindings.current().memory().allocateBuffer(SIZE) : buffer.clear();
    }

    void release(ByteBuffer buffer) {
        synchronized (spare) {
            if (spare.size() < MAX_SPARE) {
                spare.push(buffer);
            }
        }
    }
}

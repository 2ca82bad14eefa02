package dev.sluice.connection;

import dev.sluice.calls.Bindings;
import java.nio.ByteBuffer;

/** A chunk of pooled memory for copied bytes, to which bytes can be appended until it is full. */
final class Chunk extends Piece {

    static final int SIZE = 16 * 1024;

    /** The memory; contains bytes from the position to the limit, and free space beyond. */
    private final ByteBuffer space = Bindings.current().memory().allocateBuffer(SIZE).limit(0);

    Chunk() {
        bytes = space;
    }

    boolean isFull() {
        return space.limit() == SIZE;
    }

    /**
     * Copies as many bytes as there is space for, and advances the source past them.
     *
     * @return the number of bytes copied
     */
    int append(ByteBuffer source) {
        int end = space.limit();
        int count = Math.min(SIZE - end, source.remaining());
        space.limit(end + count).put(end, source, source.position(), count);
        source.position(source.position() + count);
        return count;
    }

    @Override
    void release() {
        space.clear().limit(0);
        LoopBuffers.ofThread().put(this);
    }
}

package dev.sluice.connection;

import dev.sluice.calls.Bindings;
import java.nio.ByteBuffer;

/** Copied bytes in memory of the pool. More can be appended until it is full. */
final class Chunk extends Piece {

    static final int SIZE = 16 * 1024;

    /** From the position to the limit; free behind that. */
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
     * @return their number
     */
    int append(ByteBuffer source) {
        int end = space.limit();
        int count = Math.min(SIZE - end, source.remaining());
        space.limit(end + count).put(end, source, source.position(), count);
        source.position(source.position() + count);
        return count;
    }

    @Override
    void giveBack() {
        space.clear().limit(0);
        LoopBuffers.ofThread().put(this);
    }
}

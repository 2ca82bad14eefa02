package dev.sluice.connection;

import dev.sluice.calls.Bindings;
import java.nio.ByteBuffer;

/** Copied bytes in memory of the pool. More can be appended until it is full. */
final class Chunk extends Piece {

    static final int SIZE = 16 * 1024;

    Chunk() {
        // They are from the position to the limit; it is free behind that.
        bytes = Bindings.current().memory().allocateBuffer(SIZE).limit(0);
    }

    boolean isFull() {
        return bytes.limit() == SIZE;
    }

    /**
     * Copies as many bytes as there is space for, and advances the source past them.
     *
     * @return their number
     */
    int append(ByteBuffer source) {
        int end = bytes.limit();
        int count = Math.min(SIZE - end, source.remaining());
        bytes.limit(end + count).put(end, source, source.position(), count);
        source.position(source.position() + count);
        return count;
    }

    @Override
    void giveBack() {
        bytes.clear().limit(0);
        LoopBuffers.ofThread().put(this);
    }
}

package dev.sluice.connection;

import dev.sluice.calls.Bindings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a loop thread: the one that connections receive into, and pieces of output to be used again. A piece
 * goes to the thread that gives it back, which is where its connection lives; so a loop thread allocates none in steady
 * state.
 */
final class LoopBuffers {

    /** A megabyte of memory. What more there is is left to the collector. */
    private static final int MAX_CHUNKS = 64;
    private static final int MAX_LENT = 1024;

    private static final ThreadLocal<LoopBuffers> OF_THREAD = ThreadLocal.withInitial(LoopBuffers::new);

    /** Null while it is taken, as by a hook that runs the loop. */
    private @Nullable ByteBuffer receiveBuffer;
    private @Nullable Piece chunks;
    private int chunkCount;
    private @Nullable Piece lent;
    private int lentCount;

    static LoopBuffers ofThread() {
        return OF_THREAD.get();
    }

    /** {@return a buffer of a size to receive into, until it is put back} */
    ByteBuffer takeReceiveBuffer(int size) {
        ByteBuffer buffer = receiveBuffer;
        receiveBuffer = null;
        return buffer != null && buffer.capacity() == size ? buffer : Bindings.current().memory().allocateBuffer(size);
    }

    void putReceiveBuffer(ByteBuffer buffer) {
        receiveBuffer = buffer;
    }

    Chunk takeChunk() {
        Piece chunk = chunks;
        if (chunk == null) {
            return new Chunk();
        }
        chunks = chunk.next;
        chunkCount--;
        chunk.next = null;
        return (Chunk) chunk;
    }

    void put(Chunk chunk) {
        if (chunkCount < MAX_CHUNKS) {
            chunk.next = chunks;
            chunks = chunk;
            chunkCount++;
        }
    }

    LentBytes takeLent() {
        Piece piece = lent;
        if (piece == null) {
            return new LentBytes();
        }
        lent = piece.next;
        lentCount--;
        piece.next = null;
        return (LentBytes) piece;
    }

    void put(LentBytes piece) {
        if (lentCount < MAX_LENT) {
            piece.next = lent;
            lent = piece;
            lentCount++;
        }
    }
}

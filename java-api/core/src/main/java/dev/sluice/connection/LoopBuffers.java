package dev.sluice.connection;

import dev.sluice.calls.Bindings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a loop thread: the buffer that connections receive into, and pooled pieces of output. A piece is
 * returned to the pool of the thread that releases it, which is that of its connection; so a loop thread allocates none
 * in steady state.
 */
final class LoopBuffers {

    /** Maximum number of pooled chunks, which is a megabyte of memory. Further ones are garbage collected. */
    private static final int MAX_CHUNKS = 64;
    private static final int MAX_LENT = 1024;

    private static final ThreadLocal<LoopBuffers> OF_THREAD = ThreadLocal.withInitial(LoopBuffers::new);

    /** The receive buffer; null while it is in use, for example by a hook that runs the loop. */
    private @Nullable ByteBuffer receiveBuffer;
    private @Nullable Piece chunks;
    private int chunkCount;
    private @Nullable Piece lent;
    private int lentCount;

    static LoopBuffers ofThread() {
        return OF_THREAD.get();
    }

    /** {@return a buffer of the given size to receive into, to be returned by {@link #putReceiveBuffer}} */
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

package dev.sluice.connection;

/**
 * Pieces that a thread can use again. A piece goes to the thread that gives it back, which is where its connection
 * lives; so a loop thread allocates none in steady state.
 */
final class SparePieces {

    /** A megabyte of memory. What more there is is left to the collector. */
    private static final int MAX_CHUNKS = 64;
    private static final int MAX_LENT = 1024;

    private static final ThreadLocal<SparePieces> OF_THREAD = ThreadLocal.withInitial(SparePieces::new);

    private Piece chunks;
    private int chunkCount;
    private Piece lent;
    private int lentCount;

    static SparePieces ofThread() {
        return OF_THREAD.get();
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

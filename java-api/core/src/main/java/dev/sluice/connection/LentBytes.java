package dev.sluice.connection;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bytes that belong to another owner, which is notified when they have been sent or discarded. */
final class LentBytes extends Piece {

    /** The owner, as for {@link #release(Object)}. */
    private @Nullable Object owner;

    static LentBytes of(ByteBuffer bytes, Runnable returned) {
        Objects.requireNonNull(returned, "returned");
        return lend(bytes, returned);
    }

    /** Retains a received buffer, after the piece has been allocated. */
    static LentBytes of(ProvidedBuffer buffer) {
        LentBytes piece = LoopBuffers.ofThread().takeLent();
        RetainedBuffer retained = buffer.retain();
        piece.bytes = retained.bytes();
        piece.owner = retained;
        return piece;
    }

    static LentBytes of(RetainedBuffer buffer) {
        LentBytes piece = LoopBuffers.ofThread().takeLent();
        RetainedBuffer own = buffer.moved();
        piece.bytes = own.bytes();
        piece.owner = own;
        return piece;
    }

    static LentBytes copyOf(ByteBuffer bytes) {
        return lend(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip(), null);
    }

    private static LentBytes lend(ByteBuffer bytes, @Nullable Object owner) {
        LentBytes piece = LoopBuffers.ofThread().takeLent();
        piece.bytes = bytes;
        piece.owner = owner;
        return piece;
    }

    @Override
    void release() {
        Object lender = owner;
        bytes = null;
        owner = null;
        isReply = false;
        LoopBuffers.ofThread().put(this);
        release(lender);
    }
}

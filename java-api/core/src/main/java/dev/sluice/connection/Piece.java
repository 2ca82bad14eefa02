package dev.sluice.connection;

import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.hook.HookFailure;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of the output of a queue: bytes in a buffer, or a range of a file. It is a node of the list that contains it.
 */
abstract class Piece {

    private static final Logger LOG = LoggerFactory.getLogger(Piece.class);

    @Nullable Piece next;
    /** Whether it was announced by {@link OutputQueue#expectReply()}. */
    boolean isReply;

    /** The buffer; null for a range of a file. */
    @Nullable ByteBuffer bytes;

    /** {@return the number of bytes that have not been sent} */
    long remaining() {
        assert bytes != null;
        return bytes.remaining();
    }

    /** {@return the number of these bytes that are in memory} */
    final long memory() {
        return bytes == null ? 0 : remaining();
    }

    /** Releases its resources, after its bytes have been sent or discarded. Called once; does not throw. */
    abstract void release();

    /**
     * Notifies an owner that its bytes are no longer used. Does not throw.
     *
     * @param owner a {@link Runnable} to be run, or a {@link RetainedBuffer} to be closed; null for none
     */
    static void release(@Nullable Object owner) {
        try {
            if (owner instanceof RetainedBuffer retained) {
                retained.close();
            } else if (owner != null) {
                ((Runnable) owner).run();
            }
        } catch (Throwable e) {
            HookFailure.log(LOG, "a buffer cannot be released", e);
        }
    }
}

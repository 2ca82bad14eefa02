package dev.sluice.connection;

import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.hook.HookFailure;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A part of what a queue sends: bytes in a buffer, or a range of a file. It is its own link in the list it is in. */
abstract class Piece {

    private static final Logger LOG = LoggerFactory.getLogger(Piece.class);

    @Nullable Piece next;
    /** Whether it was announced by {@link OutputQueue#expectReply()}. */
    boolean isReply;

    /** Null if they are not in a buffer. */
    @Nullable ByteBuffer bytes;

    /** {@return the number of bytes that have not been sent} */
    long remaining() {
        assert bytes != null;
        return bytes.remaining();
    }

    /** {@return how many of them lie in memory} */
    final long memory() {
        return bytes == null ? 0 : remaining();
    }

    /** Gives back what it consists of, since its bytes have been sent or are discarded. Called once; does not throw. */
    abstract void giveBack();

    /**
     * Notifies an owner that a queue does not need its bytes any more. Does not throw.
     *
     * @param owner a {@link Runnable} to be run, or a {@link RetainedBuffer} to be closed; null for none
     */
    static void giveBack(@Nullable Object owner) {
        try {
            if (owner instanceof RetainedBuffer retained) {
                retained.close();
            } else if (owner != null) {
                ((Runnable) owner).run();
            }
        } catch (Throwable e) {
            HookFailure.log(LOG, "a buffer cannot be given back", e);
        }
    }
}

package dev.sluice.connection;

import java.nio.ByteBuffer;

/** A handler for the frames of a {@link Framer}. */
@FunctionalInterface
public interface FrameHandler {

    /**
     * Called with each complete frame. May {@linkplain Framer#stop() stop} or {@linkplain Framer#reset() reset} the
     * framer, but must not append to it.
     *
     * @param frame the bytes of the frame, without delimiter or length, from position to limit; valid until this method
     *              returns, and may be modified
     * @throws Exception if the handler fails; thrown to the caller of {@link Framer#append}
     */
    void frame(ByteBuffer frame) throws Exception;
}

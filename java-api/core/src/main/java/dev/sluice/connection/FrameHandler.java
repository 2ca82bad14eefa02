package dev.sluice.connection;

import java.nio.ByteBuffer;

/** Is called with each frame that a {@link Framer} finds. */
@FunctionalInterface
public interface FrameHandler {

    /**
     * A frame is complete. May {@linkplain Framer#stop() stop} or {@linkplain Framer#reset() reset} the framer, and
     * must not append to it.
     *
     * @param frame the bytes of the frame, without delimiter or length, from its position to its limit; valid until
     *              this returns, and may be changed in every way
     * @throws Exception whatever goes wrong; it reaches the caller of {@link Framer#append}
     */
    void frame(ByteBuffer frame) throws Exception;
}

package dev.sluice.demultiplexer.operation;

import org.jspecify.annotations.Nullable;

/**
 * Predicts from previous receives of a connection whether the next one should use a large buffer. A long message that
 * arrives in many small buffers costs a call, a completion and a send for each of them. Used only inside.
 */
final class ReceiveSizePredictor {

    /** The number of consecutive ordinary buffers that must have been filled. */
    private static final int FILLED_BEFORE_LARGE = 2;
    /** The number of consecutive receives that must have been shorter than an ordinary buffer. */
    private static final int SHORT_BEFORE_ORDINARY = 16;

    private boolean large;
    private int mispredictions;

    /** {@return a predictor; null without memory for one, as the caller has received bytes, and must report them} */
    static @Nullable ReceiveSizePredictor create() {
        try {
            return new ReceiveSizePredictor();
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    /** {@return whether the next receive should use a large buffer} */
    boolean isLarge() {
        return large;
    }

    /**
     * Records a receive.
     *
     * @param filled whether an ordinary buffer was, or would have been, too small for the received bytes
     */
    void received(boolean filled) {
        mispredictions = filled == large ? 0 : mispredictions + 1;
        if (mispredictions == (large ? SHORT_BEFORE_ORDINARY : FILLED_BEFORE_LARGE)) {
            large = !large;
            mispredictions = 0;
        }
    }
}

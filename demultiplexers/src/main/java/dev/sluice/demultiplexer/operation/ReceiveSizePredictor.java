package dev.sluice.demultiplexer.operation;

/**
 * Predicts, from what a connection has received, whether a large buffer is worth its memory for the next receive. A
 * long message that arrives in many small buffers costs a call, a completion and a send for each. Used only inside.
 */
final class ReceiveSizePredictor {

    /** How many ordinary buffers in a row must have been filled. */
    private static final int FILLED_BEFORE_LARGE = 2;
    /** The number of consecutive receives that must have received less than an ordinary buffer holds. */
    private static final int SHORT_BEFORE_ORDINARY = 16;

    private boolean large;
    private int contrary;

    /** {@return whether the next receive should have a large buffer} */
    boolean isLarge() {
        return large;
    }

    /**
     * Learns.
     *
     * @param filled whether an ordinary buffer was, or would have been, too small for what has come
     */
    void received(boolean filled) {
        contrary = filled == large ? 0 : contrary + 1;
        if (contrary == (large ? SHORT_BEFORE_ORDINARY : FILLED_BEFORE_LARGE)) {
            large = !large;
            contrary = 0;
        }
    }
}

package dev.sluice.demultiplexer.spi;

/** The rule by which a demultiplexer reports a ready handle. */
public enum Trigger {
    /** In each wait, while it is ready. */
    LEVEL,
    /**
     * Once for each transition to ready, and once after each change of the membership. The thread that gets the report
     * must either continue until the handle is no longer ready, that is, until a receive returns 0 or an accept null,
     * or {@linkplain Membership#rearm() rearm} the membership. A {@code Reactor} does the latter, unless the handler
     * declares that it does the former.
     */
    EDGE,
    /** Once; then not again until the membership is rearmed. */
    ONE_SHOT
}

package dev.sluice.demultiplexer.spi;

/** When a demultiplexer reports a handle that is ready. */
public enum Trigger {
    /** In every wait, for as long as it is ready. */
    LEVEL,
    /**
     * Once for each change to ready, and once after each change of the membership. The thread that gets the report
     * must either continue until the handle is no longer ready, that is, until a receive returns 0 or an accept null,
     * or {@linkplain Membership#rearm() rearm} the membership. A {@code Reactor} does the latter, unless the
     * handler says that it does the former.
     */
    EDGE,
    /** Once; then not again until the membership is rearmed. */
    ONE_SHOT
}

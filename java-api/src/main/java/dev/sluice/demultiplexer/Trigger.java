package dev.sluice.demultiplexer;

/** When a demultiplexer reports a handle that is ready. */
public enum Trigger {
    /** In every wait, for as long as it is ready. */
    LEVEL,
    /**
     * Once for each change to ready, and once after each change of the registration. Whoever is told must go on until
     * the handle is not ready any more, until a receive returns 0 or an accept null, or have the registration
     * {@linkplain Registration#rearm() rearmed}. A {@code Reactor} does the latter, unless the handler says that it
     * does the former.
     */
    EDGE,
    /** Once; then not again until the registration is rearmed. */
    ONE_SHOT
}

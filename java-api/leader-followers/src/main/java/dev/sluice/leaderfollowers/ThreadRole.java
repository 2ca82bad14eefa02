package dev.sluice.leaderfollowers;

/** The state of a thread of a pool (Leader/Followers paper, section 7). */
public enum ThreadRole {
    /**
     * Waits for events. An iterative handle set has one leader at a time; on a concurrent set every waiting thread is
     * one.
     */
    LEADER,
    /** Dispatches the event it has detected. */
    PROCESSING,
    /** Waits to be promoted. */
    FOLLOWER
}

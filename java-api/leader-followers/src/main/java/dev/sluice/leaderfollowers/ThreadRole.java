package dev.sluice.leaderfollowers;

/** What a thread of a pool is doing (Leader/Followers paper, section 7). */
public enum ThreadRole {
    /** Waits for events. One for each iterative handle set; on a concurrent set, every thread that waits. */
    LEADER,
    /** Dispatches the event it has detected. */
    PROCESSING,
    /** Waits to be promoted. */
    FOLLOWER
}

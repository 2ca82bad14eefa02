package dev.sluice.samples.conversation;

/** How many threads of a pool wait on a handle set (Leader/Followers paper, implementation activity 1). */
public enum HandleSetKind {
    /** One at a time, the leader. */
    ITERATIVE,
    /** All at once. */
    CONCURRENT
}

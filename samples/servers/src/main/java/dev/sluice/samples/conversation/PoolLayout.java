package dev.sluice.samples.conversation;

/** The number of handle sets of a Leader/Followers server, and the threads that wait on them. */
public enum PoolLayout {
    /** One, on which all threads wait. */
    ONE_HANDLE_SET,
    /** Several, each with threads that wait on it and on no other (section 10.2 of the paper). */
    POOL_PER_HANDLE_SET,
    /** Several, each with a leader, and all threads take turns at that (section 10.2 of the paper). */
    MULTIPLE_LEADERS
}

package dev.sluice.samples.conversation;

/** How many handle sets a Leader/Followers server has, and which threads wait on them. */
public enum PoolLayout {
    /** One, on which all threads wait. */
    ONE_HANDLE_SET,
    /** Several, each with threads that wait on it and on no other (section 10.2 of the paper). */
    POOL_PER_HANDLE_SET,
    /** Several, each with a leader, and all threads take turns at that (section 10.2 of the paper). */
    MULTIPLE_LEADERS
}

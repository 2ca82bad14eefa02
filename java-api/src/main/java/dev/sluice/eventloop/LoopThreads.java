package dev.sluice.eventloop;

/** Which threads may run an event loop. */
public enum LoopThreads {
    /** Any thread, one at a time. */
    ONE_AT_A_TIME,
    /** The first thread that runs it, and no other ever. */
    THE_FIRST,
    /** Any number of threads at once. */
    MANY
}

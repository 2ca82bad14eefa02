package dev.sluice.eventloop;

/** Which threads may run an event loop. */
public enum LoopThreads {
    /** Any thread, while no other does. */
    ONE_AT_A_TIME,
    /** The first that does, and no other ever. */
    THE_FIRST,
    /** Any number of threads at once. */
    MANY
}

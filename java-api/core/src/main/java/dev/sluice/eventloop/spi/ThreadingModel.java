package dev.sluice.eventloop.spi;

/** Which threads may run an event loop. */
public enum ThreadingModel {
    /** Any thread, one at a time. */
    SINGLE_THREADED,
    /** The first thread that runs it, and no other ever. */
    CONFINED,
    /** Any number of threads at once. */
    MULTI_THREADED
}

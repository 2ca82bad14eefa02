package dev.sluice.eventloop.spi;

/** The threads that may run an event loop. */
public enum ThreadingModel {
    /** Any thread, one at a time. */
    SINGLE_THREADED,
    /** Only the first thread that runs it. */
    CONFINED,
    /** Any number of threads concurrently. */
    MULTI_THREADED
}

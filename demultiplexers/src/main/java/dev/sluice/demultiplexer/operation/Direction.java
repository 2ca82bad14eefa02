package dev.sluice.demultiplexer.operation;

/**
 * The direction of an operation. Operations of one direction on the same handle are executed one at a time, in order.
 */
enum Direction {
    INPUT,
    /** That of what is sent to a stream or appended to a file. */
    OUTPUT,
    /** Operations that are executed concurrently with all others. */
    NONE,
    /** An operation that waits until it is the only one on its handle. */
    ALONE
}

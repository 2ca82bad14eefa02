package dev.sluice.demultiplexer.operation;

/** What operations on the same handle compete for: those of one direction are executed one after the other. */
enum Direction {
    INPUT, OUTPUT,
    /** Competes with nothing. */
    NONE,
    /** Waits until it is the only one. */
    ALONE
}

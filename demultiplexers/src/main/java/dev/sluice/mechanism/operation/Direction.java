package dev.sluice.mechanism.operation;

/** What an operation competes for with others on the same handle: those of one direction go one after the other. */
enum Direction {
    INPUT, OUTPUT,
    /** Competes with nothing. */
    NONE,
    /** Waits until it is the only one. */
    ALONE
}

package dev.sluice.samples.gnutella;

/**
 * Time has passed: it is put into the queues of stages at intervals. One that finds no room is made up for by the next.
 */
enum Tick {

    /** The only one: all are alike. */
    TICK
}

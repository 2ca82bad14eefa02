package dev.sluice.samples.gnutella;

/** An event that is enqueued at stages periodically. If there is no space for one, the next one compensates. */
enum Tick {

    /** The only one: all are alike. */
    TICK
}

package dev.sluice.demultiplexer.spi;

/** How many threads may wait on a handle set (Leader/Followers paper, implementation activity 1). */
public enum HandleSetKind {
    /** One thread at a time waits and may get many ready handles. */
    ITERATIVE,
    /** Many threads wait at once; each ready handle goes to exactly one of them. */
    CONCURRENT
}

package dev.sluice.demultiplexer.spi;

/**
 * The kinds of handle sets, by the number of threads that may wait (Leader/Followers paper, implementation activity 1).
 */
public enum HandleSetKind {
    /** One thread at a time waits and may get many ready handles. */
    ITERATIVE,
    /** Several threads wait concurrently; each ready handle goes to exactly one of them. */
    CONCURRENT
}

package dev.sluice.samples.gnutella;

/** What is done when messages come faster than they are routed (5.2.3). Each bounds the queue of the router. */
enum OverloadPolicy {

    /** What finds the queue full is dropped. */
    DROP,
    /** Random Early Detection: the longer the queue, the more of the messages are dropped, at random. */
    RED,
    /** The router drops queries as long as its queue is more than half full. */
    FILTER_QUERIES,
    /**
     * The server reads no more until there is room, so that those who send have to wait. Nothing is dropped but
     * messages of more than 4 KiB, and those only while {@value RouterOptions#MAX_LARGE} of them wait.
     */
    THROTTLE,
    /** Queries cost more credits than other messages: they are dropped sooner. */
    CREDITS
}

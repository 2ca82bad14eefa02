package dev.sluice.samples.gnutella;

/** The policy if messages arrive faster than they are routed (5.2.3). Each bounds the queue of the router. */
enum OverloadPolicy {

    /** Messages are dropped if the queue is full. */
    DROP,
    /** Random Early Detection: the longer the queue, the more of the messages are dropped, at random. */
    RED,
    /** The router drops queries as long as its queue is more than half full. */
    FILTER_QUERIES,
    /**
     * The server stops reading until there is space, so that the senders have to wait. Only messages of more than 4 KiB
     * are dropped, while {@value RouterOptions#MAX_LARGE} of them wait.
     */
    THROTTLE,
    /** Queries cost more credits than other messages: they are dropped sooner. */
    CREDITS,
    /** No neighbour's packets are read faster than a rate, whatever the queue is like; beyond it they wait with him. */
    RATE
}

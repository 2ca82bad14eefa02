package dev.sluice.samples.haboob;

/**
 * CacheMiss has done with a request for others, too.
 *
 * @param request that has read
 * @param page    what it has read, of whose memory this is a user; null if there is nothing for others: then the
 *                request has been answered
 */
record PageRead(PageRequest request, Page page) implements PageCacheEvent {
}

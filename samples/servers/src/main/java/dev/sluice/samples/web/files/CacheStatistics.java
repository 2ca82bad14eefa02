package dev.sluice.samples.web.files;

/**
 * The statistics of a cache. The counts change while they are read, so they may differ by concurrent lookups.
 *
 * @param strategy     determines which entries are evicted
 * @param capacity     the number of entries at most
 * @param entries      the number of entries
 * @param hits         lookups that found an open file in its current version
 * @param misses       lookups that asked the file system, also for what is not there
 * @param stale        entries that were dropped because their file had changed
 * @param evictions    entries that made room for another one
 * @param refusals     files that were not kept because everything else was worth more
 * @param compressions files that were compressed
 * @param mapped       octets of memory that files are mapped to
 * @param memory       how many octets that may be at most
 */
public record CacheStatistics(CacheStrategy strategy, int capacity, int entries, long hits, long misses, long stale,
                              long evictions, long refusals, long compressions, long mapped, long memory) {

    /** {@return which part of the lookups were hits, in thousandths} */
    public long hitRate() {
        long lookups = hits + misses;
        return lookups == 0 ? 0 : 1000 * hits / lookups;
    }
}

package dev.sluice.samples.adaptation;

/**
 * The work of a service since the previous sample.
 *
 * @param replies   how many have been sent
 * @param octets    in the bodies of all of them
 * @param hits      lookups in the cache that found an open file
 * @param misses    lookups that did not
 * @param evictions files that have been closed to make room for others
 * @param entries   the number of files open at this moment
 * @param requests  how many are being replied to at this moment
 * @param travel    what files that have travelled have cost
 */
public record LoadSample(long replies, long octets, long hits, long misses, long evictions, int entries,
                         int requests, Travel travel) {

    private static final int ENOUGH = 20;

    /**
     * {@return the difference to an earlier sample, if both have counted from the beginning}
     *
     * @param earlier the other one
     */
    public LoadSample since(LoadSample earlier) {
        return new LoadSample(replies - earlier.replies, octets - earlier.octets, hits - earlier.hits,
                misses - earlier.misses, evictions - earlier.evictions, entries, requests,
                travel.since(earlier.travel));
    }

    /** {@return the hits in a thousand lookups; -1 if there were too few lookups} */
    public int hitRate() {
        long lookups = hits + misses;
        return lookups < ENOUGH ? -1 : (int) (1000 * hits / lookups);
    }

    /** {@return the mean size of a reply in octets; -1 if there were too few replies} */
    public long meanReply() {
        return replies < ENOUGH ? -1 : octets / replies;
    }
}

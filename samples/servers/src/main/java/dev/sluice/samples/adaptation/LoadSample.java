package dev.sluice.samples.adaptation;

/**
 * What a service has had to do since the sample before.
 *
 * @param replies   how many have been sent
 * @param octets    in the bodies of all of them
 * @param hits      lookups in the cache that found an open file
 * @param misses    lookups that did not
 * @param evictions files that have been closed to make room for others
 * @param entries   how many files are open at this moment
 * @param requests  how many are being replied to at this moment
 * @param travel    what files that have travelled have cost
 */
public record LoadSample(long replies, long octets, long hits, long misses, long evictions, int entries,
                         int requests, Travel travel) {

    private static final int ENOUGH = 20;

    /**
     * {@return what has happened between an earlier moment and this one, if both have counted from the beginning}
     *
     * @param earlier the other one
     */
    public LoadSample since(LoadSample earlier) {
        return new LoadSample(replies - earlier.replies, octets - earlier.octets, hits - earlier.hits,
                misses - earlier.misses, evictions - earlier.evictions, entries, requests,
                travel.since(earlier.travel));
    }

    /** {@return how many lookups in a thousand were hits; -1 if there were too few to tell} */
    public int hitRate() {
        long lookups = hits + misses;
        return lookups < ENOUGH ? -1 : (int) (1000 * hits / lookups);
    }

    /** {@return the octets of the average reply; -1 if there were too few to tell} */
    public long meanReply() {
        return replies < ENOUGH ? -1 : octets / replies;
    }
}

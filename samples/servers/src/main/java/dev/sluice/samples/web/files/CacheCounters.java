package dev.sluice.samples.web.files;

import java.util.concurrent.atomic.LongAdder;

/** What has happened in a cache. Any thread may count. */
final class CacheCounters {

    /** Found open, and current. */
    final LongAdder hits = new LongAdder();
    /** Not there, and looked for in the file system. */
    final LongAdder misses = new LongAdder();
    /** There, but of a version that is gone. */
    final LongAdder stale = new LongAdder();
    /** Made room. */
    final LongAdder evictions = new LongAdder();
    /** Not kept, because everything in the full cache was worth more. */
    final LongAdder refusals = new LongAdder();
    /** Made of a plain file. */
    final LongAdder compressions = new LongAdder();
}

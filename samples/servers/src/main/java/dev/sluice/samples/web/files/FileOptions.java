package dev.sluice.samples.web.files;

import java.time.Duration;
import java.util.List;

/**
 * What a {@link CachedFileSystem} does with files.
 *
 * @param strategy       determines which entries are evicted
 * @param capacity       the maximum number of open files, not counting those in use; at least 1
 * @param checkInterval  how long an entry is taken to be current before it is compared with the file again; zero
 *                       compares at every lookup
 * @param maxCompressed size of the largest file to compress; 0 for none
 * @param indexPages     names of the file that stands for a directory, the best one first; at least one
 * @param types          media types
 * @param hints          for {@link CacheStrategy#HINTED}: paths of files, and of directories if they end with a slash,
 *                       the most valuable one first
 * @param memory         the number of octets of memory files that may be mapped to, all together
 */
public record FileOptions(CacheStrategy strategy, int capacity, Duration checkInterval, int maxCompressed,
                          List<String> indexPages, MediaTypes types, List<String> hints, long memory) {

    /** The only index page, unless others are asked for. */
    public static final String INDEX_PAGE = "index.html";

    /** A quarter of a gibibyte. */
    public static final long DEFAULT_MEMORY = 256L << 20;

    /** Checks that they make sense. */
    public FileOptions {
        if (capacity < 1 || checkInterval.isNegative() || maxCompressed < 0 || memory < 0 || indexPages.isEmpty()) {
            throw new IllegalArgumentException("capacity " + capacity + ", check interval " + checkInterval
                    + ", most compressed " + maxCompressed + ", memory " + memory + ", index pages " + indexPages);
        }
        indexPages = List.copyOf(indexPages);
        hints = List.copyOf(hints);
    }

    /**
     * Options with which nothing is compressed.
     *
     * @param strategy      determines which entries are evicted
     * @param capacity      the maximum number of open files
     * @param checkInterval the time for which an entry is assumed to be current
     * @return the options
     */
    public static FileOptions of(CacheStrategy strategy, int capacity, Duration checkInterval) {
        return new FileOptions(strategy, capacity, checkInterval, 0, List.of(INDEX_PAGE), MediaTypes.BUILT_IN,
                List.of(), DEFAULT_MEMORY);
    }
}

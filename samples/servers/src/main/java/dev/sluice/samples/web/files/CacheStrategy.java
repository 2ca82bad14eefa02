package dev.sluice.samples.web.files;

import java.util.Comparator;

/** Determines which entry of a full cache is evicted: JAWS's caching strategies. */
public enum CacheStrategy {
    /** The least recently used. */
    LRU(Comparator.comparingLong(FileEntry::lastUse)),
    /** The least frequently used of late, and among equals the least recently used. */
    LFU(Comparator.comparingLong(FileEntry::uses).thenComparingLong(FileEntry::lastUse)),
    /**
     * Evicts files without a hint first, then those that are hinted at last in the list; among equals the least
     * recently used. A file with a hint is not evicted for one without.
     */
    HINTED(Comparator.comparingInt(FileEntry::rank).thenComparingLong(FileEntry::lastUse)) {
        @Override
        int rank(String name, FileOptions options) {
            for (int i = 0; i < options.hints().size(); i++) {
                String hint = options.hints().get(i);
                if (hint.endsWith("/") ? name.startsWith(hint) : name.equals(hint)) {
                    return options.hints().size() - i;
                }
            }
            return 0;
        }
    },
    /**
     * Evicts what lies deepest in the structure of the site first: its visitors come in through the pages near the
     * root, and of each directory through the index page. Among equals the least recently used. A file near the root is
     * not evicted for a deeper one.
     */
    STRUCTURED(Comparator.comparingInt(FileEntry::rank).thenComparingLong(FileEntry::lastUse)) {
        @Override
        int rank(String name, FileOptions options) {
            int depth = (int) name.chars().filter(c -> c == '/').count();
            boolean index = options.indexPages().contains(name.substring(name.lastIndexOf('/') + 1));
            return (index ? 1 : 0) - 2 * depth;
        }
    },
    /** Keeps no files: every lookup opens the file. */
    NONE((one, other) -> 0);

    private final Comparator<FileEntry> leastValuable;

    CacheStrategy(Comparator<FileEntry> leastValuable) {
        this.leastValuable = leastValuable;
    }

    Comparator<FileEntry> leastValuable() {
        return leastValuable;
    }

    /** How valuable a file is by its name alone; one that is worth less never takes the place of one worth more. */
    int rank(String name, FileOptions options) {
        return 0;
    }
}

package dev.sluice.samples.web.files;

import java.util.Comparator;

/** Which entry of a full cache makes room for another one: JAWS's caching strategies. */
public enum CacheStrategy {
    /** The least recently used. */
    LRU(Comparator.comparingLong(FileEntry::lastUse)),
    /** The least frequently used of late, and among equals the least recently used. */
    LFU(Comparator.comparingLong(FileEntry::uses).thenComparingLong(FileEntry::lastUse)),
    /** Nothing is kept: every lookup opens the file. */
    NONE((one, other) -> 0);

    private final Comparator<FileEntry> leastValuable;

    CacheStrategy(Comparator<FileEntry> leastValuable) {
        this.leastValuable = leastValuable;
    }

    Comparator<FileEntry> leastValuable() {
        return leastValuable;
    }
}

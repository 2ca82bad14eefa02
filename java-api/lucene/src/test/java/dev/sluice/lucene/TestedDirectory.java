package dev.sluice.lucene;

import dev.sluice.files.FileLoop;
import java.io.IOException;
import java.nio.file.Path;

/** How a directory reads, where tests choose that for all of its files. */
enum TestedDirectory {

    /** Through the system's cache. */
    CACHED,

    /** Through the system's cache, and ahead as where the system takes no advice. */
    CACHED_BY_LOOP,

    /** Directly, where the file system can. */
    DIRECT,

    /** From memory. */
    MAPPED,

    /** As it is by default. */
    DEFAULT;

    private static final long MEMORY = 2L * Prefetches.MAX_LENGTH;

    /**
     * Opens a directory.
     *
     * @param path       where
     * @param loop       for reads ahead and syncs
     * @param prefetches the memory for what is read ahead, in units of 128 KiB
     * @return the directory; the caller closes it, and then the loop
     */
    SluiceDirectory open(Path path, FileLoop loop, int prefetches) throws IOException {
        SluiceDirectory directory = new SluiceDirectory(path, SluiceLockFactory.INSTANCE, loop,
                MEMORY * prefetches);
        directory.setAdvises(this != CACHED_BY_LOOP);
        if (this != DEFAULT) {
            directory.setDirect((name, context) -> this == DIRECT);
            directory.setMapped((name, context) -> this == MAPPED);
        }
        return directory;
    }
}

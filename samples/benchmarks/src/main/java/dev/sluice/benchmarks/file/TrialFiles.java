package dev.sluice.benchmarks.file;

import dev.sluice.handle.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The files of the suite: one that is cached, one that is not, one more of each for programs with other bytes, and what
 * is appended to.
 */
final class TrialFiles implements Closeable {

    private final Path cached;
    private final Path uncached;
    private final Path cachedOfOthers;
    private final Path uncachedOfOthers;
    private final Path appended;
    private final Path log;
    private boolean changed;

    /**
     * Names the files.
     *
     * @param directory where they are
     */
    TrialFiles(Path directory) {
        cached = directory.resolve("cached.bin");
        uncached = directory.resolve("uncached.bin");
        cachedOfOthers = directory.resolve("cached-of-others.bin");
        uncachedOfOthers = directory.resolve("uncached-of-others.bin");
        appended = directory.resolve("appended.bin");
        log = directory.resolve("appended-log");
    }

    /**
     * Writes the files.
     *
     * @param size   of each, in bytes
     * @param others whether other programs write, too
     * @throws IOException if one cannot be written
     */
    void write(long size, boolean others) throws IOException {
        for (Path path : others ? List.of(cached, uncached, cachedOfOthers, uncachedOfOthers)
                : List.of(cached, uncached)) {
            BlockFile.write(path, size);
            force(path);
        }
        evict(uncached, size);
        if (others) {
            evict(uncachedOfOthers, size);
        }
    }

    private static void evict(Path path, long size) throws IOException {
        try (FileHandle file = FileHandle.open(path)) {
            file.evict(0, size);
        } catch (UnsupportedOperationException e) {
            // What is direct on this system need not care for the cache, or there is nothing direct.
            return;
        }
    }

    /** {@return the file of a workload} */
    Path of(Job job) {
        return job.direct() ? uncached : cached;
    }

    /** {@return the file of a program that does not write the blocks of this suite} */
    Path ofOthers(Job job) {
        if (!job.writes()) {
            return of(job);
        }
        return job.direct() ? uncachedOfOthers : cachedOfOthers;
    }

    /** {@return a file that does not exist yet} */
    Path appended() {
        return appended;
    }

    /** {@return the directory of a log, which does not exist yet} */
    Path log() {
        return log;
    }

    /** The cached files may have been changed. */
    void changed() {
        changed = true;
    }

    /** Writes to the disk what has been changed in the page cache, so that it is not written during a measurement. */
    void writeChanges() throws IOException {
        if (changed) {
            changed = false;
            force(cached);
            force(cachedOfOthers);
        }
    }

    private static void force(Path path) throws IOException {
        if (Files.exists(path)) {
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                file.force(false);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Path path : List.of(cached, uncached, cachedOfOthers, uncachedOfOthers, appended)) {
            Files.deleteIfExists(path);
        }
        // That of a trial that was killed.
        LogAppends.remove(log);
    }
}

package dev.sluice.benchmarks.lucene;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A control group with a limit for the memory of its processes, their part of the page cache included. It exists from
 * {@link #open} to {@link #close}, and may be opened again.
 */
final class MemoryGroup implements Closeable {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String PREFIX = "sluice-bench-";
    private static final String PROCESSES = "cgroup.procs";
    private static final long ATTEMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int ATTEMPTS = 500;
    private static final long TESTED = 64 << 20;

    private final Path directory;
    private final String limitName;
    private final String swapName;

    private MemoryGroup(Path directory, String limitName, String swapName) {
        this.directory = directory;
        this.limitName = limitName;
        this.swapName = swapName;
    }

    /**
     * Finds where a group can be made, and makes one as a test. Removes groups that killed runs have left.
     *
     * @return the group, which is not open
     * @throws IOException if there can be none here; the message says why
     */
    static MemoryGroup find() throws IOException {
        Path first = ROOT.resolve("memory");
        boolean isFirst = Files.exists(first.resolve("memory.limit_in_bytes"));
        if (!isFirst && !Files.exists(ROOT.resolve("cgroup.controllers"))) {
            throw new IOException("there are no control groups in " + ROOT);
        }
        Path parent = isFirst ? first : ROOT;
        removeOld(parent);
        Path own = parent.resolve(PREFIX + ProcessHandle.current().pid());
        MemoryGroup group = isFirst
                ? new MemoryGroup(own, "memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
                : new MemoryGroup(own, "memory.max", "memory.swap.max");
        group.open(TESTED);
        group.close();
        return group;
    }

    private static void removeOld(Path parent) throws IOException {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, PREFIX + "[0-9]*")) {
            for (Path each : groups) {
                long process = Long.parseLong(each.getFileName().toString().substring(PREFIX.length()));
                if (ProcessHandle.of(process).isEmpty()) {
                    removeUnused(each);
                }
            }
        }
    }

    private static void removeUnused(Path directory) {
        try {
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // It has processes, and so belongs to a run whose numbers are not those that are seen here.
            return;
        }
    }

    /** {@return the file that a process writes its number to when it joins} */
    String processes() {
        return directory.resolve(PROCESSES).toString();
    }

    /**
     * Makes the group, without processes.
     *
     * @param limit the memory that they may use, in bytes
     */
    void open(long limit) throws IOException {
        Files.createDirectory(directory);
        boolean isLimited = false;
        try {
            Path file = directory.resolve(limitName);
            if (!Files.exists(file)) {
                throw new IOException("the controller memory is not among those of " + ROOT.resolve(
                        "cgroup.subtree_control"));
            }
            Files.writeString(file, Long.toString(limit));
            Path swap = directory.resolve(swapName);
            if (Files.exists(swap)) {
                // The first version limits memory and swap together.
                Files.writeString(swap, swapName.endsWith("max") ? "0" : Long.toString(limit));
            }
            isLimited = true;
        } finally {
            if (!isLimited) {
                close();
            }
        }
    }

    /** Removes the group when its processes have ended. */
    @Override
    public void close() throws IOException {
        boolean isInterrupted = Thread.interrupted();
        try {
            for (int attempts = 1;; attempts++) {
                try {
                    Files.deleteIfExists(directory);
                    return;
                } catch (IOException e) {
                    // The kernel takes its time with the last process.
                    if (attempts == ATTEMPTS) {
                        throw e;
                    }
                    LockSupport.parkNanos(ATTEMPT_NANOS);
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

package dev.sluice.demultiplexer.operation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The kinds of file systems on Linux, by how long a copy from or to the system's cache may take. */
enum FileSystemKind {
    /** All content is in memory. */
    MEMORY,
    /** Content is on disks of this machine. */
    DISK,
    /** Another machine or process may have to answer, or the type is unknown. */
    OTHER;

    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    /** What precedes the type, behind fields of which some are optional (proc(5)). */
    private static final String BEFORE_TYPE = " - ";
    private static final Set<String> OF_MEMORY = Set.of("tmpfs", "ramfs");
    private static final Set<String> OF_DISK = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "overlay");

    /** How long a kind is remembered: a later mount may have the number of one that has ended. */
    static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Map<Long, Known> KNOWN = new ConcurrentHashMap<>();

    private record Known(FileSystemKind kind, long since) {
    }

    /**
     * {@return the kind of a mounted file system} Reads the table of mounts, at most once a second for each mount. May
     * be called by any thread.
     *
     * @param mount the number of the mount
     */
    static FileSystemKind of(long mount) {
        return of(mount, System.nanoTime(), MOUNTS);
    }

    /** {@return the kind of a mount, given the time and the file with the table} */
    static FileSystemKind of(long mount, long now, Path table) {
        Known known = KNOWN.get(mount);
        if (known != null && now - known.since() < REMEMBERED_NANOS) {
            return known.kind();
        }
        try {
            FileSystemKind found = in(Files.readAllLines(table), mount);
            KNOWN.put(mount, new Known(found, now));
            return found;
        } catch (IOException e) {
            // In a sandbox without the table.
            return OTHER;
        }
    }

    /** {@return the kind of a mount, given the table} */
    static FileSystemKind in(Iterable<String> table, long mount) {
        String start = mount + " ";
        for (String line : table) {
            int separator = line.indexOf(BEFORE_TYPE);
            if (line.startsWith(start) && separator >= 0) {
                int begin = separator + BEFORE_TYPE.length();
                int end = line.indexOf(' ', begin);
                return ofType(line.substring(begin, end < 0 ? line.length() : end));
            }
        }
        return OTHER;
    }

    private static FileSystemKind ofType(String type) {
        return OF_MEMORY.contains(type) ? MEMORY : OF_DISK.contains(type) ? DISK : OTHER;
    }
}

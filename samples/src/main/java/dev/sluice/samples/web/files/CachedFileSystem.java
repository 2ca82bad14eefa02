package dev.sluice.samples.web.files;

import dev.sluice.calls.Errno;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Finds files below a root by the path of a URL, and keeps some of them open: the Cached Virtual Filesystem of JAWS.
 * Any thread may look up; a hit takes no lock, and no system call unless the entry is due to be checked.
 *
 * <p>Only what has been found is kept, so asking for what is not there fills nothing. Two threads that miss the same
 * file at once both open it, and the later one's stays.
 */
public final class CachedFileSystem implements Closeable {

    private static final String INDEX_PAGE = "index.html";
    private static final int ATTEMPTS = 100;
    private static final Set<Errno> ABSENCES = Collections.unmodifiableSet(EnumSet.of(Errno.ENOENT, Errno.ENOTDIR,
            Errno.EACCES, Errno.EPERM, Errno.ELOOP, Errno.ENAMETOOLONG, Errno.EISDIR, Errno.ENXIO));

    private final DocumentRoot root;
    private final CacheStrategy strategy;
    private final int capacity;
    private final long checkInterval;
    private final LongSupplier nanoTime;
    private final ConcurrentHashMap<String, FileEntry> entries = new ConcurrentHashMap<>();

    // Both guarded by this.
    private int evictions;
    private boolean closed;

    /**
     * Makes an empty cache.
     *
     * @param root          where the files are
     * @param strategy      which entries make room
     * @param capacity      how many files to keep open at most, besides those in use; at least 1
     * @param checkInterval how long an entry is taken to be current before it is compared with the file again; zero
     *                      compares at every lookup
     */
    public CachedFileSystem(DocumentRoot root, CacheStrategy strategy, int capacity, Duration checkInterval) {
        this(root, strategy, capacity, checkInterval, System::nanoTime);
    }

    CachedFileSystem(DocumentRoot root, CacheStrategy strategy, int capacity, Duration checkInterval,
                     LongSupplier nanoTime) {
        if (capacity < 1 || checkInterval.isNegative()) {
            throw new IllegalArgumentException("capacity " + capacity + ", check interval " + checkInterval);
        }
        this.root = root;
        this.strategy = strategy;
        this.capacity = capacity;
        this.checkInterval = checkInterval.toNanos();
        this.nanoTime = nanoTime;
    }

    /**
     * Finds what a path leads to.
     *
     * @param path decoded and normalised, beginning with a slash; one that ends with a slash names the index page of a
     *             directory
     * @return a file, which the caller releases, or the reason why there is none
     * @throws IOException if there is a file, and the system refuses to open it just now
     */
    public Resource lookup(String path) throws IOException {
        long now = nanoTime.getAsLong();
        FileEntry kept = entries.get(path);
        if (kept != null) {
            if (isCurrent(path, kept, now) && kept.retain()) {
                kept.used(now);
                return kept;
            }
            drop(path, kept);
        }
        Resource found = open(path, now);
        if (found instanceof FileEntry entry && strategy != CacheStrategy.NONE) {
            keep(path, entry);
        }
        return found;
    }

    private boolean isCurrent(String path, FileEntry entry, long now) {
        if (now - entry.checked() < checkInterval) {
            return true;
        }
        Path real = root.resolve(fileName(path));
        boolean current = real != null && entry.isStill(real, FileStamp.of(real));
        if (current) {
            entry.checked(now);
        }
        return current;
    }

    private static String fileName(String path) {
        return path.endsWith("/") ? path + INDEX_PAGE : path;
    }

    private Resource open(String path, long now) throws IOException {
        String name = fileName(path);
        for (int i = 0; i < ATTEMPTS; i++) {
            Path real = root.resolve(name);
            FileStamp before = real == null ? null : FileStamp.of(real);
            if (before == null || before.kind() != FileStamp.Kind.REGULAR) {
                boolean directory = before != null && before.kind() == FileStamp.Kind.DIRECTORY;
                return directory && name.equals(path) ? NoFile.DIRECTORY : NoFile.ABSENT;
            }
            FileHandle file = open(real);
            if (file == null) {
                return NoFile.ABSENT;
            }
            FileStamp opened = FileStamp.of(file, real);
            if (opened != null && opened.equals(FileStamp.of(real)) && real.equals(root.resolve(name))) {
                return new FileEntry(real, opened, file, MediaTypes.of(name), now);
            }
            file.close();
        }
        throw new IOException(name + " is replaced faster than it can be opened");
    }

    private static FileHandle open(Path path) throws IOException {
        try {
            return FileHandle.open(path);
        } catch (SystemCallException e) {
            if (ABSENCES.contains(e.error())) {
                return null;
            }
            throw e;
        }
    }

    private synchronized void keep(String path, FileEntry entry) {
        if (closed) {
            return;
        }
        if (entries.size() >= capacity && !entries.containsKey(path)) {
            evict();
        }
        entry.retain();
        FileEntry replaced = entries.put(path, entry);
        if (replaced != null) {
            replaced.release();
        }
    }

    /** Looks at all entries: that is little beside the system calls of the miss it belongs to. */
    private void evict() {
        entries.entrySet().stream()
                .min((one, other) -> strategy.leastValuable().compare(one.getValue(), other.getValue()))
                .ifPresent(least -> drop(least.getKey(), least.getValue()));
        if (++evictions % capacity == 0) {
            // What was popular once must not stay for ever.
            entries.values().forEach(FileEntry::age);
        }
    }

    private void drop(String path, FileEntry entry) {
        if (entries.remove(path, entry)) {
            entry.release();
        }
    }

    /** {@return how many files are kept open} */
    public int size() {
        return entries.size();
    }

    /** Drops all entries; those in use are closed when their last user leaves. Lookups go on without the cache. */
    @Override
    public synchronized void close() {
        closed = true;
        entries.forEach(this::drop);
    }
}

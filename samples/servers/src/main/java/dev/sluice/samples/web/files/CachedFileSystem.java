package dev.sluice.samples.web.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Finds files below a root by the path of a URL, and keeps some of them open: the Cached Virtual Filesystem of JAWS.
 * Any thread may look up; a hit takes no lock, and no system call unless the entry is due to be checked.
 *
 * <p>Only existing files are kept, so requests for others do not fill the cache. Two threads that miss the same file
 * concurrently both open it, and the later one is kept.
 */
public final class CachedFileSystem implements Closeable {

    /** A directory with more is for no person to look at. */
    private static final int MAX_LISTED = 10_000;
    /** A smaller file and its head fit into one segment, so that there is nothing to gain. */
    private static final int MIN_COMPRESSED = 512;

    private final DocumentRoot root;
    private final FileOptions options;
    private final CacheStrategy strategy;
    private final long checkInterval;
    private final LongSupplier nanoTime;
    private final CacheCounters counters = new CacheCounters();
    private final MemoryBudget memory;
    private final ConcurrentHashMap<String, FileEntry> entries = new ConcurrentHashMap<>();
    private final ChangeListener changes = new Changes();

    /** Null if changes are not watched. */
    private volatile FileWatch watch;

    // Both changed under the lock.
    private volatile int capacity;
    private volatile long replacements;
    // Both guarded by this.
    private int evictions;
    private boolean closed;

    /**
     * Creates an empty cache.
     *
     * @param root    the directory of the files
     * @param options what to do with them
     */
    public CachedFileSystem(DocumentRoot root, FileOptions options) {
        this(root, options, System::nanoTime);
    }

    CachedFileSystem(DocumentRoot root, FileOptions options, LongSupplier nanoTime) {
        this.root = root;
        this.options = options;
        this.strategy = options.strategy();
        this.capacity = options.capacity();
        this.checkInterval = options.checkInterval().toNanos();
        this.nanoTime = nanoTime;
        this.memory = new MemoryBudget(options.memory());
    }

    /**
     * Drops files immediately when they change, from now on and as far as the system reports changes: it may have no
     * watches left, or never have had any, which is logged. Files are still compared after their check interval,
     * because the system does not report everything. To be called once, before the first lookup.
     *
     * @param directories how many to watch at most, at least 1; it should be many more than there are in use
     */
    public void watch(int directories) {
        if (strategy != CacheStrategy.NONE) {
            watch = FileWatch.begin(root, directories, changes);
        }
    }

    /** {@return the number of directories watched} */
    int watched() {
        FileWatch watching = watch;
        return watching == null ? 0 : watching.size();
    }

    /**
     * {@return whether finding a file may have to wait for the file system: it is not kept, or due to be looked at}
     *
     * @param path  of the file, as for {@link #lookup}
     * @param coded whether it is looked for in codings as well
     */
    public boolean mayWait(String path, boolean coded) {
        long now = nanoTime.getAsLong();
        FileEntry kept = entries.get(path);
        return isDue(kept, now) || coded && kept.isCompressible() && codingMayWait(kept, now);
    }

    private boolean isDue(FileEntry kept, long now) {
        return kept == null || now - kept.checked() >= checkInterval;
    }

    private boolean codingMayWait(FileEntry plain, long now) {
        for (ContentCoding coding : ContentCoding.values()) {
            FileEntry beside = entries.get(plain.name() + coding.extension());
            if (!plain.lacks(coding, now, checkInterval) && isDue(beside, now)) {
                return true;
            }
        }
        return mayMake(plain, ContentCoding.GZIP) && !plain.isCompressionTried();
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
                counters.hits.increment();
                return kept;
            }
            if (drop(path, kept)) {
                counters.stale.increment();
            }
        }
        counters.misses.increment();
        long seen = replacements;
        FileWatch watching = watch;
        if (watching == null || strategy == CacheStrategy.NONE) {
            return keep(path, open(path, now), seen);
        }
        watching.watch(path);
        long changes = watching.changes();
        Resource found = keep(path, open(path, now), seen);
        if (found instanceof FileEntry entry && watching.changes() != changes) {
            // A change that was reported before the entry was added has not reached it.
            entry.checked(now - checkInterval);
        }
        return found;
    }

    /**
     * Finds a file in a coding: the one beside it whose name says so, if it is not older, or one that is made of it.
     *
     * @param plain  the plain file, which the caller uses
     * @param coding the coding
     * @return a file, which the caller releases, or null
     * @throws IOException if there is one, and the system refuses to open or to make it just now
     */
    public FileEntry coded(FileEntry plain, ContentCoding coding) throws IOException {
        FileEntry beside = beside(plain, coding);
        return beside != null || !mayMake(plain, coding) ? beside : plain.compressed(counters.compressions);
    }

    private boolean mayMake(FileEntry plain, ContentCoding coding) {
        long size = plain.stamp().size();
        // Of what is not kept, it would have to be made for each request.
        return coding == ContentCoding.GZIP && plain.isKept()
                && size >= MIN_COMPRESSED && size <= options.maxCompressed();
    }

    private FileEntry beside(FileEntry plain, ContentCoding coding) throws IOException {
        long now = nanoTime.getAsLong();
        if (plain.lacks(coding, now, checkInterval)) {
            return null;
        }
        Resource found = lookup(plain.name() + coding.extension());
        if (found instanceof FileEntry entry) {
            if (entry.stamp().modified().compareTo(plain.stamp().modified()) >= 0) {
                return entry;
            }
            entry.release();
        }
        plain.lacking(coding, now);
        return null;
    }

    private boolean isCurrent(String path, FileEntry entry, long now) {
        if (!isDue(entry, now)) {
            return true;
        }
        FileWatch watching = watch;
        if (watching != null) {
            watching.watch(path);
        }
        boolean current;
        try {
            DocumentRoot.Place place = root.find(fileName(path));
            current = place != null && entry.isStill(place);
        } catch (IOException e) {
            // It cannot be looked at just now, as there is no descriptor left, perhaps; the next lookup tries again.
            return true;
        }
        if (current) {
            entry.checked(now);
        }
        return current;
    }

    /** The path to the file that is meant; of a directory, to the first index page that is there, or the last one. */
    private String fileName(String path) throws IOException {
        if (!path.endsWith("/")) {
            return path;
        }
        List<String> pages = options.indexPages();
        int last = pages.size() - 1;
        for (int i = 0; i < last; i++) {
            String page = path + pages.get(i);
            DocumentRoot.Place place = root.find(page);
            if (place != null && place.stamp().kind() == FileStamp.Kind.REGULAR) {
                return page;
            }
        }
        return path + pages.get(last);
    }

    private Resource open(String path, long now) throws IOException {
        String name = fileName(path);
        DocumentRoot.Opened opened = root.open(name);
        if (opened == null) {
            return path.endsWith("/") && isDirectory(path) ? NoFile.WITHOUT_INDEX : NoFile.ABSENT;
        }
        DocumentRoot.Place place = opened.place();
        if (opened.file() == null) {
            return place.stamp().kind() == FileStamp.Kind.DIRECTORY && name.equals(path) ? NoFile.DIRECTORY
                    : NoFile.ABSENT;
        }
        return new FileEntry(name, place.path(), place.stamp(), opened.file(), options.types().of(name),
                strategy.rank(name, options), memory, now);
    }

    private boolean isDirectory(String path) throws IOException {
        DocumentRoot.Place place = root.find(path);
        return place != null && place.stamp().kind() == FileStamp.Kind.DIRECTORY;
    }

    /**
     * Tells what is in a directory, by its names: what leads outside the root is not, nor what begins with a dot.
     *
     * @param path of a directory, with a slash at its end
     * @return of the first {@value #MAX_LISTED} names, those that may be listed; empty if there is no such directory
     *         any more
     * @throws IOException if the system refuses
     */
    public List<DirectoryEntry> list(String path) throws IOException {
        List<DirectoryEntry> entries = new ArrayList<>();
        try (HeldDirectory directory = root.directory(path)) {
            if (directory != null) {
                Names names = new Names(MAX_LISTED);
                directory.forEachName(names);
                for (Path name : names.taken()) {
                    FileStamp stamp = root.stamp(directory, path, name);
                    if (stamp != null && stamp.kind() != FileStamp.Kind.OTHER) {
                        entries.add(new DirectoryEntry(name.toString(), stamp.kind() == FileStamp.Kind.DIRECTORY,
                                stamp.size(), stamp.modifiedSecond()));
                    }
                }
            }
        }
        entries.sort(Comparator.comparing(DirectoryEntry::name));
        return entries;
    }

    /**
     * Drops a file that has been replaced, so that the next lookup opens the new one. A concurrent lookup that has
     * already opened the old one still gets it, but does not add it to the cache.
     *
     * @param path of the file
     */
    public synchronized void forget(String path) {
        replacements++;
        drop(path);
        int slash = path.lastIndexOf('/') + 1;
        if (options.indexPages().contains(path.substring(slash))) {
            drop(path.substring(0, slash));
        }
    }

    private void drop(String path) {
        FileEntry kept = entries.get(path);
        if (kept != null) {
            drop(path, kept);
        }
    }

    /**
     * Adds it to the cache, unless a file has been replaced since the given number of replacements: it may be that one.
     */
    private Resource keep(String path, Resource found, long seen) {
        if (found instanceof FileEntry entry && strategy != CacheStrategy.NONE) {
            keep(path, entry, seen);
        }
        return found;
    }

    private synchronized void keep(String path, FileEntry entry, long seen) {
        if (closed || replacements != seen) {
            return;
        }
        if (entries.size() >= capacity && !entries.containsKey(path) && !makeSpace(entry)) {
            counters.refusals.increment();
            return;
        }
        entry.retain();
        entry.kept();
        FileEntry replaced = entries.put(path, entry);
        if (replaced != null) {
            replaced.release();
        }
    }

    /**
     * Looks at all entries: that is little beside the system calls of the miss it belongs to. Returns whether one was
     * worth no more than the new one.
     */
    private boolean makeSpace(FileEntry newcomer) {
        Map.Entry<String, FileEntry> minimum = leastValuable();
        if (minimum != null && minimum.getValue().rank() > newcomer.rank()) {
            return false;
        }
        if (minimum != null) {
            drop(minimum.getKey(), minimum.getValue());
            counters.evictions.increment();
        }
        if (++evictions % capacity == 0) {
            // What was popular once must not stay forever.
            entries.values().forEach(FileEntry::age);
        }
        return true;
    }

    private Map.Entry<String, FileEntry> leastValuable() {
        Map.Entry<String, FileEntry> minimum = null;
        for (Map.Entry<String, FileEntry> each : entries.entrySet()) {
            if (minimum == null || strategy.leastValuable().compare(each.getValue(), minimum.getValue()) < 0) {
                minimum = each;
            }
        }
        return minimum;
    }

    private boolean drop(String path, FileEntry entry) {
        boolean dropped = entries.remove(path, entry);
        if (dropped) {
            entry.release();
        }
        return dropped;
    }

    /**
     * {@return the media type of a file with this name, as its entry has it}
     *
     * @param name of the file
     */
    public String type(String name) {
        return options.types().of(name);
    }

    /**
     * Changes how many files are kept open. Those that are too many are dropped, the least valuable first.
     *
     * @param count the number, at least 1
     */
    public synchronized void resize(int count) {
        capacity = count;
        while (entries.size() > capacity) {
            Map.Entry<String, FileEntry> minimum = leastValuable();
            if (minimum != null && drop(minimum.getKey(), minimum.getValue())) {
                counters.evictions.increment();
            }
        }
    }

    /** {@return what it has come to} */
    public CacheStatistics statistics() {
        return new CacheStatistics(strategy, strategy == CacheStrategy.NONE ? 0 : capacity, entries.size(),
                counters.hits.sum(), counters.misses.sum(), counters.stale.sum(), counters.evictions.sum(),
                counters.refusals.sum(), counters.compressions.sum(), memory.used(), options.memory());
    }

    /** {@return the number of files that are kept open} */
    public int size() {
        return entries.size();
    }

    /** Drops all entries; those in use are closed when their last user leaves. Lookups go on without the cache. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            entries.forEach(this::drop);
        }
        FileWatch watching = watch;
        if (watching != null) {
            watching.close();
        }
    }

    /** Drops what has changed. */
    private final class Changes implements ChangeListener {

        @Override
        public void changed(String directory, String name, boolean below) {
            changed(directory, name);
            for (ContentCoding coding : ContentCoding.values()) {
                if (name.endsWith(coding.extension())) {
                    String plain = name.substring(0, name.length() - coding.extension().length());
                    plain(directory + plain, coding);
                    if (options.indexPages().contains(plain)) {
                        plain(directory, coding);
                    }
                }
            }
            if (below) {
                String prefix = directory + name + '/';
                entries.keySet().stream().filter(path -> path.startsWith(prefix)).forEach(this::forgetAsStale);
            }
        }

        private void changed(String directory, String name) {
            forgetAsStale(directory + name);
            if (options.indexPages().contains(name)) {
                forgetAsStale(directory);
            }
        }

        private void plain(String path, ContentCoding coding) {
            FileEntry entry = entries.get(path);
            if (entry != null) {
                entry.mayHave(coding, nanoTime.getAsLong());
            }
        }

        private void forgetAsStale(String path) {
            FileEntry kept = entries.get(path);
            if (kept != null && drop(path, kept)) {
                counters.stale.increment();
            }
        }

        @Override
        public void anythingChanged() {
            entries.keySet().forEach(this::forgetAsStale);
        }

        @Override
        public Set<String> wanted() {
            Set<String> directories = new HashSet<>();
            for (String path : entries.keySet()) {
                int slash = path.lastIndexOf('/');
                // If a directory is in the set already, so are those that lead there.
                while (slash >= 0 && directories.add(path.substring(0, slash + 1))) {
                    slash = path.lastIndexOf('/', slash - 1);
                }
            }
            return directories;
        }
    }
}

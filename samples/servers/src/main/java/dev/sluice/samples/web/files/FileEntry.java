package dev.sluice.samples.web.files;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.MappedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * An open file in one version. Its users are counted; a caller that got it from {@link CachedFileSystem#lookup} is one,
 * and releases it once. Any thread may use it.
 */
public final class FileEntry implements Resource {

    private final Path path;
    private final FileStamp stamp;
    private final FileHandle file;
    private final String name;
    private final String type;
    private final String tag;
    private final AtomicInteger users = new AtomicInteger(1);
    private final boolean compressible;
    /** When a lookup of a file in this coding has found none. */
    private final AtomicLongArray lackingSince = new AtomicLongArray(ContentCoding.values().length);
    private final int rank;
    private final MemoryBudget memory;
    private MappedFile mapping;
    private volatile boolean kept;
    private boolean compressionBegun;
    private volatile boolean compressionTried;
    /** This version compressed; null if that has not been tried, has failed, or is not smaller. */
    private FileEntry compressed;

    private volatile long checked;
    private volatile long lastUse;
    private volatile long uses;

    FileEntry(String name, Path path, FileStamp stamp, FileHandle file, String type, int rank, MemoryBudget memory,
              long now) {
        this(name, path, stamp, file, type, stamp.tag(), rank, memory, now);
    }

    private FileEntry(String name, Path path, FileStamp stamp, FileHandle file, String type, String tag,
                      int rank, MemoryBudget memory, long now) {
        this.rank = rank;
        this.memory = memory;
        this.name = name;
        this.path = path;
        this.stamp = stamp;
        this.file = file;
        this.type = type;
        this.tag = tag;
        this.compressible = MediaTypes.isCompressible(type);
        for (ContentCoding coding : ContentCoding.values()) {
            mayHave(coding, now);
        }
        this.checked = now;
        this.lastUse = now;
        this.uses = 1;
    }

    /** {@return its path in a URL, to the name of an index page} */
    public String name() {
        return name;
    }

    /** {@return its real path} */
    public Path path() {
        return path;
    }

    /** {@return which file and version; more than this size must not be sent of it} */
    public FileStamp stamp() {
        return stamp;
    }

    /** {@return the file, to transmit or read; it is closed when the last user has left} */
    public FileHandle file() {
        return file;
    }

    /** {@return the media type} */
    public String type() {
        return type;
    }

    /** {@return the strong validator of this version, in quotation marks} */
    public String tag() {
        return tag;
    }

    /** {@return whether it is of a type that is worth compressing} */
    public boolean isCompressible() {
        return compressible;
    }

    boolean lacks(ContentCoding coding, long now, long interval) {
        return now - lackingSince.get(coding.ordinal()) < interval;
    }

    void lacking(ContentCoding coding, long now) {
        lackingSince.set(coding.ordinal(), now);
    }

    /** A cache keeps it from now on, or has done so. */
    void kept() {
        kept = true;
    }

    boolean isKept() {
        return kept;
    }

    /** Makes the next request for this coding look for a file again. */
    void mayHave(ContentCoding coding, long now) {
        lacking(coding, now - Long.MAX_VALUE / 2);
    }

    /**
     * This version compressed, for which the caller becomes a user; null if there is none. It is made at the first
     * call, and counted then, and lives as long as this entry. Other callers wait until it has been made.
     */
    synchronized FileEntry compressed(LongAdder count) throws IOException {
        if (!compressionBegun) {
            // Also if it fails: a full disk would be tried again with each request.
            compressionBegun = true;
            count.increment();
            try {
                compressed = compress();
            } finally {
                compressionTried = true;
            }
        }
        // This entry is a user of it, so it is open.
        return compressed != null && compressed.retain() ? compressed : null;
    }

    /** {@return whether the attempt to compress this version is over, so that no thread has to wait for it} */
    boolean isCompressionTried() {
        return compressionTried;
    }

    private FileEntry compress() throws IOException {
        FileHandle coded = CodedFile.gzip(file, stamp.size());
        try {
            long size = coded.size();
            // What has been changed in place meanwhile is neither this version nor the next one.
            if (size < stamp.size() && stamp.equals(FileStamp.of(file, path))) {
                FileStamp codedStamp = new FileStamp(stamp.inode(), size, stamp.modified(), stamp.kind());
                return new FileEntry(name, path, codedStamp, coded, type,
                        codedStamp.tag(ContentCoding.GZIP.token()), rank, memory, checked);
            }
        } catch (Throwable e) {
            coded.close();
            throw e;
        }
        coded.close();
        return null;
    }

    /**
     * {@return the whole file as memory, mapped when it is first asked for and shared by all users; null if it is
     * empty, too large for one buffer, or beyond the memory that files may be mapped to}
     *
     * <p>If the file has been cut meanwhile, touching the missing part is an {@code InternalError}.
     *
     * @throws IOException if the system refuses
     */
    public synchronized MappedFile mapping() throws IOException {
        if (mapping == null && stamp.size() > 0 && stamp.size() <= Integer.MAX_VALUE) {
            if (file.size() < stamp.size()) {
                throw new IOException(file + " has been truncated from " + stamp.size() + " to " + file.size() + " "
                        + "bytes");
            }
            if (memory.take(stamp.size())) {
                mapping = map();
            }
        }
        return mapping;
    }

    private MappedFile map() throws IOException {
        try {
            return MappedFile.map(file, MappedFile.Mode.READ_ONLY, 0, (int) stamp.size());
        } catch (Throwable e) {
            memory.release(stamp.size());
            throw e;
        }
    }

    /**
     * Becomes one more user.
     *
     * @return false if the last user has left already: the file is closed
     */
    public boolean retain() {
        int count = users.get();
        while (count > 0) {
            if (users.compareAndSet(count, count + 1)) {
                return true;
            }
            count = users.get();
        }
        return false;
    }

    /**
     * Leaves. The last user closes the file.
     *
     * @throws IllegalStateException if there is no user left
     */
    public void release() {
        int left = users.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("already released by all users: " + file);
        }
        if (left == 0) {
            close();
        }
    }

    private synchronized void close() {
        if (mapping != null) {
            mapping.close();
            memory.release(stamp.size());
        }
        if (compressed != null) {
            compressed.release();
        }
        file.close();
    }

    boolean isStill(DocumentRoot.Place place) {
        return path.equals(place.path()) && stamp.equals(place.stamp());
    }

    long checked() {
        return checked;
    }

    void checked(long now) {
        checked = now;
    }

    /** Counts a use for the strategies. One that is lost to another thread at the same time does no harm. */
    void used(long now) {
        lastUse = now;
        uses = uses + 1;
    }

    void age() {
        uses = uses / 2;
    }

    int rank() {
        return rank;
    }

    long lastUse() {
        return lastUse;
    }

    long uses() {
        return uses;
    }

    @Override
    public String toString() {
        return file + ", " + users + " users";
    }
}

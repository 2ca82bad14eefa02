package dev.sluice.samples.web.files;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.MappedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open file in one version. Its users are counted; whoever got it from
 * {@link CachedFileSystem#lookup} is one, and releases it once. Any thread may use it.
 */
public final class FileEntry implements Resource {

    private final Path path;
    private final FileStamp stamp;
    private final FileHandle file;
    private final String type;
    private final String tag;
    private final AtomicInteger users = new AtomicInteger(1);
    private MappedFile mapping;

    private volatile long checked;
    private volatile long lastUse;
    private volatile long uses;

    FileEntry(Path path, FileStamp stamp, FileHandle file, String type, long now) {
        this.path = path;
        this.stamp = stamp;
        this.file = file;
        this.type = type;
        this.tag = stamp.tag();
        this.checked = now;
        this.lastUse = now;
        this.uses = 1;
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

    /**
     * {@return the whole file as memory, mapped when it is first asked for and shared by all users; null if it is empty
     * or too large for one buffer}
     *
     * <p>If the file has been cut meanwhile, touching the missing part is an {@code InternalError}.
     *
     * @throws IOException if the system refuses
     */
    public synchronized MappedFile mapping() throws IOException {
        if (mapping == null && stamp.size() > 0 && stamp.size() <= Integer.MAX_VALUE) {
            if (file.size() < stamp.size()) {
                throw new IOException(file + " has been cut from " + stamp.size() + " to " + file.size() + " bytes");
            }
            mapping = MappedFile.map(file, MappedFile.Mode.READ_ONLY, 0, (int) stamp.size());
        }
        return mapping;
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
            throw new IllegalStateException("released once too often: " + file);
        }
        if (left == 0) {
            close();
        }
    }

    private synchronized void close() {
        if (mapping != null) {
            mapping.close();
        }
        file.close();
    }

    boolean isStill(Path realPath, FileStamp current) {
        return path.equals(realPath) && stamp.equals(current);
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

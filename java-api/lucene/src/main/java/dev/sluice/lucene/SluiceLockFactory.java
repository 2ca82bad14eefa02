package dev.sluice.lucene;

import dev.sluice.handle.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.Unwrappable;

/**
 * Locks of open files, which the system releases when the process ends. Unlike those of Lucene's {@code
 * NativeFSLockFactory} they are not lost when a thread that uses them is interrupted. The locks of
 * both exclude each other; a lock file that is left behind means nothing. A process should use one of the two for an
 * index: on Unix, a lock of Lucene's factory is lost when any file handle of the same process for the lock file is
 * closed, as it is when this factory does not get the lock.
 *
 * <p>All methods may be called by any thread.
 */
public final class SluiceLockFactory extends FSLockFactory {

    /** The only instance. */
    public static final SluiceLockFactory INSTANCE = new SluiceLockFactory();

    private SluiceLockFactory() {
    }

    /**
     * Locks a file in a directory, and does not wait for that. The file is created if there is none, and stays.
     *
     * @param directory the directory
     * @param name      the name of the lock file
     * @return the lock, which closing it releases
     * @throws LockObtainFailedException if the lock is held, by this process or another one
     * @throws IOException               if the file cannot be opened, created or locked
     */
    @Override
    protected Lock obtainFSLock(FSDirectory directory, String name) throws IOException {
        Path path = Unwrappable.unwrapAll(directory.getDirectory().resolve(name));
        FileHandle file = IndexFiles.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE);
        FileLock lock = null;
        try {
            Closeable range = file.tryLock(0, Long.MAX_VALUE, false);
            if (range == null) {
                throw new LockObtainFailedException("Lock held by this or another program: " + path);
            }
            lock = new FileLock(file, path, creationTime(path));
            return lock;
        } finally {
            if (lock == null) {
                // The range is unlocked with it.
                file.close();
            }
        }
    }

    private static FileTime creationTime(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).creationTime();
    }

    /** A file whose whole range is locked for as long as it is open. */
    private static final class FileLock extends Lock {

        private final FileHandle file;
        private final Path path;
        private final FileTime creationTime;
        private volatile boolean isClosed;

        FileLock(FileHandle file, Path path, FileTime creationTime) {
            this.file = file;
            this.path = path;
            this.creationTime = creationTime;
        }

        /** Checks that the lock is held, and that its file has been neither replaced nor written to. */
        @Override
        public void ensureValid() throws IOException {
            if (isClosed) {
                throw new AlreadyClosedException("Lock instance already released: " + this);
            }
            long size = file.size();
            if (size != 0) {
                throw new AlreadyClosedException("Unexpected lock file size: " + size + ", (lock=" + this + ")");
            }
            FileTime now = creationTime(path);
            if (!creationTime.equals(now)) {
                throw new AlreadyClosedException("Underlying file changed by an external force at " + now + ", (lock="
                        + this + ")");
            }
        }

        @Override
        public void close() {
            isClosed = true;
            file.close();
        }

        @Override
        public String toString() {
            return "FileLock(path=" + path + ",creationTime=" + creationTime + ")";
        }
    }
}

package dev.sluice.h2;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLock;
import org.jspecify.annotations.Nullable;

/** A lock of a range of an open file, as {@code FileChannel} returns it. */
final class HandleLock extends FileLock {

    private final HeldLocks locks;
    /** Null before the system has granted the lock, and after its end. */
    private volatile @Nullable Closeable range;

    HandleLock(HandleChannel channel, HeldLocks locks, long position, long size, boolean shared) {
        super(channel, position, size, shared);
        this.locks = locks;
    }

    void grant(Closeable granted) {
        range = granted;
    }

    /** Ends the lock, if the system has granted it. */
    void end() throws IOException {
        Closeable granted = range;
        if (granted != null) {
            granted.close();
            range = null;
        }
    }

    /** A size of 0 stands for all up to the end. */
    boolean isIn(long from, long size) {
        return (size == 0 || position() < from + size) && (size() == 0 || from < position() + size());
    }

    @Override
    public boolean isValid() {
        return range != null && acquiredBy().isOpen();
    }

    @Override
    public void release() throws IOException {
        if (!acquiredBy().isOpen()) {
            throw new ClosedChannelException();
        }
        locks.release(this);
    }
}

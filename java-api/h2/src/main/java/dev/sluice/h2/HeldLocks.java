package dev.sluice.h2;

import dev.sluice.handle.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locks of an open file, held and awaited. The system lets one open file lock a range again, which replaces its
 * lock, and ends the whole lock when either is released; so overlapping ones are refused here, as by each
 * {@code FileChannel}.
 */
final class HeldLocks {

    private final FileHandle file;
    private final String name;
    /** Guarded by itself. */
    private final List<HandleLock> locks = new ArrayList<>();

    HeldLocks(FileHandle file, String name) {
        this.file = file;
        this.name = name;
    }

    /** Locks a range without waiting, and returns null if another open file has locked a part of it. */
    @Nullable FileLock tryAcquire(HandleChannel channel, long position, long size, boolean shared) throws IOException {
        synchronized (locks) {
            HandleLock lock = add(channel, position, size, shared);
            return granted(lock, () -> file.tryLock(position, lengthOf(size), shared));
        }
    }

    /** Locks a range, and waits until that is possible. */
    FileLock acquire(HandleChannel channel, long position, long size, boolean shared) throws IOException {
        HandleLock lock;
        synchronized (locks) {
            lock = add(channel, position, size, shared);
        }
        granted(lock, () -> file.lock(position, lengthOf(size), shared));
        if (!channel.isOpen()) {
            lock.end();
            throw new AsynchronousCloseException();
        }
        return lock;
    }

    private HandleLock add(HandleChannel channel, long position, long size, boolean shared) {
        if (position < 0 || size < 0 || size > Long.MAX_VALUE - position) {
            throw new IllegalArgumentException("no range: " + size + " bytes from position " + position + " on");
        }
        for (HandleLock each : locks) {
            if (each.isIn(position, size)) {
                throw new OverlappingFileLockException();
            }
        }
        HandleLock lock = new HandleLock(channel, this, position, size, shared);
        locks.add(lock);
        return lock;
    }

    /** A call that locks a range. */
    @FunctionalInterface
    private interface Call {
        @Nullable Closeable lock() throws IOException;
    }

    private @Nullable HandleLock granted(HandleLock lock, Call call) throws IOException {
        Closeable range = null;
        try {
            range = call.lock();
        } catch (UnsupportedOperationException e) {
            // H2 reports this one, and closes the file.
            throw new IOException(name + ": " + e.getMessage() + "; H2 opens it without the prefix sluice:", e);
        } finally {
            if (range == null) {
                remove(lock);
            } else {
                lock.grant(range);
            }
        }
        return range == null ? null : lock;
    }

    private void remove(HandleLock lock) {
        synchronized (locks) {
            locks.remove(lock);
        }
    }

    /** Ends a lock; doing so again does nothing. */
    void release(HandleLock lock) throws IOException {
        synchronized (locks) {
            // Before it is forgotten: a lock of the same range that is granted first would end with it.
            lock.end();
            locks.remove(lock);
        }
    }

    /** Ends all locks that the system has granted, before the file is closed, which reads in flight may delay. */
    void releaseAll() throws IOException {
        synchronized (locks) {
            for (HandleLock each : locks) {
                each.end();
            }
        }
    }

    /** {@return the length for the system} */
    private static long lengthOf(long size) {
        return size == 0 ? Long.MAX_VALUE : size;
    }
}

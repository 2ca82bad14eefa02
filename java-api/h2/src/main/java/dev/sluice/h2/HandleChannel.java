package dev.sluice.h2;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An open file for H2. Reads and writes go to a {@link FileHandle} and wait for the system; an interrupt neither ends
 * the wait nor closes the file. They continue until all bytes are moved, or the file ends.
 *
 * <p>May be used by any number of threads. Methods that use the position of the channel run one at a time, the others
 * concurrently. Closing the channel lets calls in flight finish; one that would continue after that throws an
 * {@link AsynchronousCloseException}.
 */
final class HandleChannel extends FileChannel {

    private static final int PART_SIZE = 64 * 1024;

    private final FileHandle file;
    private final String name;
    private final boolean writable;
    private final Durability durability;
    private final HeldLocks locks;

    private final ReentrantLock positionLock = new ReentrantLock();
    /** Guarded by its lock. */
    private long position;

    /**
     * Creates a channel.
     *
     * @param file          the open file, which belongs to the channel from now on
     * @param name          for messages
     * @param writable      whether the file is open for writing
     * @param writesThrough whether each write waits for the disk
     */
    HandleChannel(FileHandle file, String name, boolean writable, boolean writesThrough) {
        this.file = file;
        this.name = name;
        this.writable = writable;
        this.durability = new Durability(name, writesThrough);
        this.locks = new HeldLocks(file, name);
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void requireWritable() throws ClosedChannelException {
        requireOpen();
        if (!writable) {
            throw new NonWritableChannelException();
        }
    }

    private static void requirePosition(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("position: " + position);
        }
    }

    private static void requireCount(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("count: " + count);
        }
    }

    private static AsynchronousCloseException closed(HandleClosedException cause) {
        AsynchronousCloseException e = new AsynchronousCloseException();
        e.initCause(cause);
        return e;
    }

    @Override
    public int read(ByteBuffer destination) throws IOException {
        int start = destination.position();
        positionLock.lock();
        try {
            return readAt(destination, position);
        } finally {
            // Also after a failure: what has been read is in the buffer.
            position += destination.position() - start;
            positionLock.unlock();
        }
    }

    @Override
    public int read(ByteBuffer destination, long position) throws IOException {
        return readAt(destination, position);
    }

    private int readAt(ByteBuffer destination, long at) throws IOException {
        requireOpen();
        try {
            int done = 0;
            int read;
            do {
                read = file.read(destination, at + done);
                done += Math.max(read, 0);
            } while (read > 0 && destination.hasRemaining());
            return done == 0 ? read : done;
        } catch (HandleClosedException e) {
            throw closed(e);
        }
    }

    @Override
    public long read(ByteBuffer[] destinations, int offset, int length) throws IOException {
        positionLock.lock();
        try {
            requireOpen();
            long done = 0;
            long read;
            do {
                read = file.read(destinations, offset, length, position);
                position += Math.max(read, 0);
                done += Math.max(read, 0);
            } while (read > 0);
            return done == 0 ? read : done;
        } catch (HandleClosedException e) {
            throw closed(e);
        } finally {
            positionLock.unlock();
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int start = source.position();
        positionLock.lock();
        try {
            return writeAt(source, position);
        } finally {
            position += source.position() - start;
            positionLock.unlock();
        }
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        requirePosition(position);
        return writeAt(source, position);
    }

    private int writeAt(ByteBuffer source, long at) throws IOException {
        requireWritable();
        int start = source.position();
        try {
            durability.write(() -> {
                while (source.hasRemaining()) {
                    requireProgress(file.write(source, at + source.position() - start), source.remaining());
                }
            });
        } catch (HandleClosedException e) {
            throw closed(e);
        }
        return source.position() - start;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        positionLock.lock();
        try {
            requireWritable();
            long start = position;
            long count = remaining(sources, offset, length);
            durability.write(() -> {
                for (long left = count; left > 0;) {
                    long written = file.write(sources, offset, length, position);
                    position += written;
                    left -= written;
                    requireProgress(written, left);
                }
            });
            return position - start;
        } catch (HandleClosedException e) {
            throw closed(e);
        } finally {
            positionLock.unlock();
        }
    }

    private static long remaining(ByteBuffer[] buffers, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffers.length);
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += buffers[i].remaining();
        }
        return sum;
    }

    /** Callers such as H2 repeat a short write, and would do so forever. */
    private void requireProgress(long written, long left) throws IOException {
        if (written == 0 && left > 0) {
            throw new IOException(name + ": the system has written none of the last " + left + " bytes");
        }
    }

    @Override
    public long position() throws IOException {
        requireOpen();
        positionLock.lock();
        try {
            return position;
        } finally {
            positionLock.unlock();
        }
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        requireOpen();
        requirePosition(newPosition);
        positionLock.lock();
        try {
            position = newPosition;
        } finally {
            positionLock.unlock();
        }
        return this;
    }

    @Override
    public long size() throws IOException {
        requireOpen();
        try {
            return file.size();
        } catch (HandleClosedException e) {
            throw closed(e);
        }
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        requireWritable();
        if (size < 0) {
            throw new IllegalArgumentException("size: " + size);
        }
        positionLock.lock();
        try {
            durability.requireIntact();
            if (size < file.size()) {
                file.truncate(size);
            }
            position = Math.min(position, size);
        } catch (HandleClosedException e) {
            throw closed(e);
        } finally {
            positionLock.unlock();
        }
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        requireOpen();
        // Nothing has been written through a channel for reading, and Windows would refuse.
        if (writable) {
            try {
                durability.force(metaData ? file::force : file::forceData);
            } catch (HandleClosedException e) {
                throw closed(e);
            }
        }
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        requireOpen();
        requirePosition(position);
        requireCount(count);
        ByteBuffer part = ByteBuffer.allocate((int) Math.min(count, PART_SIZE));
        long done = 0;
        while (done < count) {
            part.clear().limit((int) Math.min(count - done, PART_SIZE));
            if (readAt(part, position + done) < 0) {
                break;
            }
            part.flip();
            done += target.write(part);
            if (part.hasRemaining()) {
                // A target that does not wait; the caller continues from there.
                break;
            }
        }
        return done;
    }

    /** Transfers as since Java 21: beyond the end of the file too, which then grows, as by a write there. */
    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        requireWritable();
        requirePosition(position);
        requireCount(count);
        ByteBuffer part = ByteBuffer.allocate((int) Math.min(count, PART_SIZE));
        long done = 0;
        while (done < count) {
            part.clear().limit((int) Math.min(count - done, PART_SIZE));
            if (source.read(part) <= 0) {
                break;
            }
            part.flip();
            done += writeAt(part, position + done);
        }
        return done;
    }

    /**
     * Throws.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException(name + " is read and written, not mapped; H2's nioMapped: maps files");
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
        requireLockable(shared);
        try {
            return locks.tryAcquire(this, position, size, shared);
        } catch (HandleClosedException e) {
            throw closed(e);
        }
    }

    /** Locks a range. Neither an interrupt nor closing the channel ends the wait. */
    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        requireLockable(shared);
        try {
            return locks.acquire(this, position, size, shared);
        } catch (HandleClosedException e) {
            throw closed(e);
        }
    }

    private void requireLockable(boolean shared) throws ClosedChannelException {
        requireOpen();
        if (!shared && !writable) {
            throw new NonWritableChannelException();
        }
    }

    @Override
    protected void implCloseChannel() throws IOException {
        try {
            locks.releaseAll();
        } finally {
            file.close();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

package dev.sluice.lucene;

import dev.sluice.files.FileBatch;
import dev.sluice.files.LoopFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a range of a file before it is needed. One object reads many ranges, one after the other. Only the thread that
 * holds its lock uses the batch and the memory of the range.
 */
final class Prefetch {

    private static final Logger LOG = LoggerFactory.getLogger(Prefetch.class);

    private final PrefetchPool pool;
    private final ReentrantLock lock = new ReentrantLock();

    // Set under the lock of the pool, while there is no file and so no thread needs the range.

    private ByteBuffer memory;
    private int slab;
    private int place;
    private int length;

    /** The one that has the next place in a {@link PrefetchRing}. Guarded by the lock of the pool. */
    @Nullable Prefetch following;

    // Guarded by the lock; set under that of the pool as well, while there is no file.

    /** Whether the thread that has taken this object has not started it yet. */
    private boolean isReserved;
    /** Null if no read is in flight. */
    private @Nullable FileBatch batch;

    // Guarded by the lock.

    private @Nullable IndexFile file;
    private long begin;
    private boolean isInFlight;
    /** The number of bytes that the read has brought, fewer than the length at the end of the file; 0 if it failed. */
    private int available;

    /**
     * Creates a prefetch without a range.
     *
     * @param pool   where this object belongs
     * @param memory for its ranges, until it gets other memory
     */
    Prefetch(PrefetchPool pool, ByteBuffer memory) {
        this.pool = pool;
        this.memory = memory;
    }

    ByteBuffer memory() {
        return memory;
    }

    /**
     * Gets memory for a range. The caller holds the lock of the pool.
     *
     * @param unused    a batch, which the pool gets back when the read has completed
     * @param newMemory the memory
     * @param newSlab   the index of this memory in the pool
     * @param newPlace  the first byte there
     * @param newLength the number of bytes
     */
    void reserve(FileBatch unused, ByteBuffer newMemory, int newSlab, int newPlace, int newLength) {
        isReserved = true;
        batch = unused;
        memory = newMemory;
        slab = newSlab;
        place = newPlace;
        length = newLength;
    }

    /** {@return whether the range begins in a part of the memory} The caller holds the lock of the pool. */
    boolean isIn(int otherSlab, int from, int to) {
        return slab == otherSlab && place >= from && place < to;
    }

    /**
     * Starts to read a range, which fills the reserved memory, and does not wait for that.
     *
     * @param newFile    the file of the range, which gets to know of it
     * @param operations the same file
     * @param newBegin   the first byte, aligned as the file needs it
     * @throws RuntimeException or an error if it cannot be started
     */
    void start(IndexFile newFile, LoopFile operations, long newBegin) {
        boolean isStarted = false;
        lock.lock();
        try {
            FileBatch reading = batch();
            reading.read(operations, memory.slice(place, length), newBegin);
            // Before: if the submission fails, the loop may have started to read nevertheless.
            isInFlight = true;
            reading.submit();
            file = newFile;
            begin = newBegin;
            // At once: before the lock is released, no thread finds it, and none ends it.
            newFile.add(newBegin, length, this);
            isStarted = true;
        } finally {
            isReserved = false;
            try {
                if (!isStarted) {
                    abandon();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private FileBatch batch() {
        FileBatch current = batch;
        assert current != null;
        return current;
    }

    private void abandon() {
        if (isInFlight) {
            // The memory is not free before the read has completed.
            detach();
        } else {
            // The batch may have an operation, and so could not be filled again.
            batch = null;
            end();
        }
    }

    /**
     * Copies bytes of the range, and waits until they have been read. Unless the pool keeps them, the range ends when
     * its last byte has been copied. An interrupt does not end the wait.
     *
     * @param reader      the file to read
     * @param position    the position in the file
     * @param destination takes the bytes; its position advances
     * @return the number of bytes copied; 0 if this object has no bytes of that position (any more)
     */
    int copy(IndexFile reader, long position, ByteBuffer destination) {
        lock.lock();
        try {
            if (file != reader || position < begin || position - begin >= length) {
                return 0;
            }
            awaitRead();
            int offset = (int) (position - begin);
            int count = Math.min(destination.remaining(), available - offset);
            if (count > 0) {
                destination.put(destination.position(), memory, place + offset, count);
                destination.position(destination.position() + count);
            }
            if (count <= 0 || !pool.keepsRead() && offset + count >= available) {
                end();
            }
            return Math.max(count, 0);
        } finally {
            lock.unlock();
        }
    }

    private void awaitRead() {
        if (isInFlight) {
            FileBatch reading = batch();
            try {
                reading.await();
                completed(reading);
            } catch (IOException e) {
                failed(reading, e);
            }
        }
    }

    /**
     * Ends the use for a range, unless its read is in flight or about to start, or a thread copies from it.
     *
     * @param only the file of the range; null for any
     * @return whether this object may be used for another range
     */
    boolean tryEnd(@Nullable IndexFile only) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (isReserved || only != null && file != only) {
                return false;
            }
            if (isInFlight) {
                FileBatch reading = batch();
                try {
                    if (!reading.await(Duration.ZERO)) {
                        return false;
                    }
                    completed(reading);
                } catch (IOException e) {
                    failed(reading, e);
                }
            }
            end();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void completed(FileBatch reading) {
        available = (int) Math.max(0, reading.bytes(0));
        giveBack(reading);
    }

    /** The thread that needs the bytes reads them itself, and gets the error, if there still is one. */
    private void failed(FileBatch reading, IOException failure) {
        available = 0;
        giveBack(reading);
        LOG.debug("could not read ahead in {}", file, failure);
    }

    private void giveBack(FileBatch reading) {
        isInFlight = false;
        batch = null;
        pool.giveBack(reading);
    }

    private void end() {
        detach();
        pool.ended(this);
    }

    private void detach() {
        IndexFile ended = file;
        if (ended != null) {
            ended.remove(begin, this);
            file = null;
        }
    }
}

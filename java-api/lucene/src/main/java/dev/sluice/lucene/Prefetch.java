package dev.sluice.lucene;

import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
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
 * holds its lock uses the batch and the buffer.
 */
final class Prefetch {

    private static final Logger LOG = LoggerFactory.getLogger(Prefetch.class);

    private final PrefetchPool pool;
    private final FileBatch batch;
    private final ByteBuffer buffer;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.

    private @Nullable IndexFile file;
    private long begin;
    private int length;
    private boolean isInFlight;
    /** The number of bytes that the read has brought, fewer than the length at the end of the file; 0 if it failed. */
    private int available;

    /**
     * Creates a prefetch without a range.
     *
     * @param pool      where this object belongs
     * @param loop      reads
     * @param maxLength the maximum length of a range, in bytes
     */
    Prefetch(PrefetchPool pool, FileLoop loop, int maxLength) {
        this.pool = pool;
        this.batch = new FileBatch(loop, 1);
        this.buffer = BlockPool.allocate(maxLength);
    }

    /**
     * Starts to read a range, and does not wait for that.
     *
     * @param newFile    the file of the range, which gets to know of it
     * @param operations the same file
     * @param newBegin   the first byte, aligned as the file needs it
     * @param newLength  the number of bytes, aligned likewise
     * @throws RuntimeException or an error if it cannot be started; this object must not be used again
     */
    void start(IndexFile newFile, LoopFile operations, long newBegin, int newLength) {
        boolean isStarted = false;
        lock.lock();
        try {
            batch.read(operations, buffer.clear().limit(newLength), newBegin);
            batch.submit();
            isInFlight = true;
            file = newFile;
            begin = newBegin;
            length = newLength;
            // At once: before the lock is released, no thread finds it, and none ends it.
            newFile.add(newBegin, newLength, this);
            pool.started(this);
            isStarted = true;
        } finally {
            try {
                if (!isStarted) {
                    pool.discard();
                    end();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Copies bytes of the range, and waits until they have been read. Gives this object back to the pool when the last
     * byte of the range has been copied. An interrupt does not end the wait.
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
                destination.put(destination.position(), buffer, offset, count);
                destination.position(destination.position() + count);
            }
            if (offset + count >= available) {
                end();
                pool.giveBack(this);
            }
            return Math.max(count, 0);
        } finally {
            lock.unlock();
        }
    }

    private void awaitRead() {
        if (isInFlight) {
            try {
                batch.await();
                completed();
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    /**
     * Ends the use for a range, unless its read is in flight or a thread copies from it.
     *
     * @param only the file of the range; null for any
     * @return whether this object may be used for another range
     */
    boolean tryEnd(@Nullable IndexFile only) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (only != null && file != only) {
                return false;
            }
            if (isInFlight) {
                try {
                    if (!batch.await(Duration.ZERO)) {
                        return false;
                    }
                    completed();
                } catch (IOException e) {
                    failed(e);
                }
            }
            end();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void completed() {
        isInFlight = false;
        available = (int) Math.max(0, batch.bytes(0));
    }

    /** The thread that needs the bytes reads them itself, and gets the error, if there still is one. */
    private void failed(IOException failure) {
        isInFlight = false;
        available = 0;
        LOG.debug("could not read ahead in {}", file, failure);
    }

    private void end() {
        IndexFile ended = file;
        if (ended != null) {
            ended.remove(begin, this);
            file = null;
        }
    }
}

package dev.sluice.lucene;

import dev.sluice.files.FileLoop;
import dev.sluice.files.LoopFile;
import dev.sluice.handle.FileAlignment;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open file of an index, which an input shares with its clones and slices. Its content does not change, as Lucene
 * writes a file once. May be used by any thread.
 */
final class IndexFile implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(IndexFile.class);

    /** The maximum number of bytes that one call reads ahead. */
    private static final long MAX_AHEAD = 1 << 20;

    /** A range that is read ahead. */
    private record Ahead(Prefetch prefetch, long end) {
    }

    private final Path path;
    private final FileHandle handle;
    private final Prefetches prefetches;
    private final BlockPool blocks;
    private final boolean isDirect;
    /** The unit of positions and lengths of direct reads. */
    private final int unit;
    /** The unit of positions and lengths of ranges that are read ahead: the system's cache reads whole pages anyway. */
    private final int unitAhead;
    /** The unit of addresses of memory for direct reads. */
    private final int memoryUnit;
    private final long length;
    /** By their first byte. */
    private final ConcurrentSkipListMap<Long, Ahead> ahead = new ConcurrentSkipListMap<>();

    // Guarded by this object.

    private @Nullable LoopFile operations;
    private @Nullable IndexInput mapped;
    /** Read without the lock as well. */
    private volatile boolean isClosed;

    private IndexFile(Path path, FileHandle handle, boolean isDirect, Prefetches prefetches, BlockPool blocks)
            throws IOException {
        this.path = path;
        this.handle = handle;
        this.isDirect = isDirect;
        this.unit = isDirect ? handle.directAlignment().read() : 1;
        this.unitAhead = isDirect ? unit : BlockPool.UNIT;
        this.memoryUnit = isDirect ? handle.directAlignment().memory() : 1;
        this.length = handle.size();
        this.prefetches = prefetches;
        this.blocks = blocks;
    }

    /**
     * Opens a file for reading.
     *
     * @param path       the file
     * @param direct     whether reads are to bypass the system's cache; ignored where that is not possible
     * @param prefetches read ranges of it ahead
     * @param blocks     for reads that must be aligned
     * @return the file; the caller closes it
     * @throws IOException as {@link IndexFiles#open}
     */
    static IndexFile open(Path path, boolean direct, Prefetches prefetches, BlockPool blocks) throws IOException {
        FileHandle handle = direct ? openDirect(path) : null;
        boolean isDirect = handle != null;
        if (handle == null) {
            handle = IndexFiles.open(path, StandardOpenOption.READ);
        }
        IndexFile file = null;
        try {
            file = new IndexFile(path, handle, isDirect, prefetches, blocks);
            return file;
        } finally {
            if (file == null) {
                handle.close();
            }
        }
    }

    /** {@return the file; null if its file system or the system cannot do that, or needs larger units} */
    private static @Nullable FileHandle openDirect(Path path) throws IOException {
        FileHandle handle;
        try {
            handle = IndexFiles.open(path, StandardOpenOption.READ, FileOption.DIRECT);
        } catch (UnsupportedOperationException e) {
            LOG.debug("{} is read through the cache", path, e);
            return null;
        } catch (SystemCallException e) {
            if (e.errorName().equals("EINVAL")) {
                LOG.debug("{} is read through the cache", path, e);
                return null;
            }
            throw e;
        }
        FileAlignment alignment = handle.directAlignment();
        if (alignment.memory() > BlockPool.UNIT || alignment.read() > BlockPool.UNIT) {
            LOG.debug("{} is read through the cache, as direct reads need {}", path, alignment);
            handle.close();
            return null;
        }
        return handle;
    }

    Path path() {
        return path;
    }

    long length() {
        return length;
    }

    boolean isDirect() {
        return isDirect;
    }

    // Reading

    /**
     * Fills a buffer, with what has been read ahead as far as there is such a range.
     *
     * @throws EOFException           if the file ends before
     * @throws AlreadyClosedException if the file is closed
     */
    void read(ByteBuffer destination, long position) throws IOException {
        if (isClosed) {
            // What has been read ahead may still be there.
            throw new AlreadyClosedException("Already closed: " + path);
        }
        long at = position;
        while (destination.hasRemaining()) {
            int count = copyAhead(destination, at);
            if (count == 0 && isDirect && Thread.currentThread().isVirtual()) {
                // It waits without its carrier, unless the pool is exhausted.
                start(at, destination.remaining(), prefetches.announced());
                count = copyAhead(destination, at);
            }
            if (count == 0) {
                count = readNow(destination, at);
            }
            if (count < 0) {
                throw new EOFException("read past EOF: " + path + " has fewer than "
                        + (at + destination.remaining()) + " bytes");
            }
            at += count;
        }
    }

    private int copyAhead(ByteBuffer destination, long position) {
        if (ahead.isEmpty()) {
            return 0;
        }
        Map.Entry<Long, Ahead> range = ahead.floorEntry(position);
        return range == null || position >= range.getValue().end() ? 0
                : range.getValue().prefetch().copy(this, position, destination);
    }

    private int readNow(ByteBuffer destination, long position) throws IOException {
        try {
            return isDirect ? readAligned(destination, position) : handle.read(destination, position);
        } catch (HandleClosedException e) {
            throw new AlreadyClosedException("Already closed: " + path, e);
        }
    }

    private int readAligned(ByteBuffer destination, long position) throws IOException {
        long begin = position & -unit;
        int lead = (int) (position - begin);
        int wanted = Math.min(BlockPool.BLOCK, (lead + Math.min(destination.remaining(), BlockPool.BLOCK) + unit - 1)
                & -unit);
        ByteBuffer block = blocks.take().limit(wanted);
        try {
            // Fewer bytes than wanted come at the end of the file.
            int read = handle.read(block, begin);
            int count = Math.min(destination.remaining(), read - lead);
            if (count <= 0) {
                return FileHandle.END_OF_FILE;
            }
            destination.put(destination.position(), block, lead, count);
            destination.position(destination.position() + count);
            return count;
        } finally {
            blocks.giveBack(block);
        }
    }

    // Reading ahead

    /**
     * Begins to read a range into the system's cache, or if the file is direct, or the system takes no such advice,
     * into memory of the directory. Does not wait for that, and does nothing if the file is closed.
     *
     * @param position the first byte
     * @param count    the number of bytes, at least 1
     * @param advises  whether the system takes advice
     */
    void prefetch(long position, long count, boolean advises) {
        if (isDirect || !advises) {
            start(position, count, prefetches.announced());
            return;
        }
        try {
            handle.prefetch(position, Math.min(count, MAX_AHEAD));
        } catch (IOException e) {
            LOG.debug("{} is not read ahead", path, e);
        }
    }

    /**
     * Starts to read a range that follows what is being read, or as much of it as there is memory for, and does not
     * wait for that. Does nothing if the file or the loop is closed.
     *
     * @param position the first byte
     * @param count    the number of bytes
     */
    void readAhead(long position, long count) {
        start(position, count, prefetches.inOrder());
    }

    private void start(long position, long count, PrefetchPool pool) {
        long end = Math.min(length, position + Math.min(count, MAX_AHEAD));
        long at = position & -unitAhead;
        LoopFile file = end > at ? operations() : null;
        while (file != null && at < end) {
            Map.Entry<Long, Ahead> known = ahead.floorEntry(at);
            if (known != null && at < known.getValue().end()) {
                at = known.getValue().end();
                continue;
            }
            // Ranges do not overlap: of two that do, one would hide a part of the other.
            Long following = ahead.higherKey(at);
            long last = following == null ? end : Math.min(end, following);
            int size = (int) Math.min(pool.maxLength(), last - at + unitAhead - 1 & -unitAhead);
            Prefetch prefetch = pool.take(size, memoryUnit);
            if (prefetch == null) {
                return;
            }
            prefetch.start(this, file, at);
            at += size;
        }
    }

    private synchronized @Nullable LoopFile operations() {
        if (isClosed) {
            return null;
        }
        if (operations == null) {
            try {
                operations = prefetches.loop().add(handle, FileLoop.DEFAULT_IN_FLIGHT);
            } catch (IOException e) {
                LOG.debug("{} is not read ahead", path, e);
            }
        }
        return operations;
    }

    void add(long begin, int size, Prefetch prefetch) {
        ahead.put(begin, new Ahead(prefetch, begin + size));
    }

    void remove(long begin, Prefetch prefetch) {
        ahead.computeIfPresent(begin, (key, range) -> range.prefetch() == prefetch ? null : range);
    }

    // Mapping

    /**
     * Maps the whole file, unless that has been done. It is unmapped when this object is closed.
     *
     * @param files maps
     * @return an input to be sliced
     * @throws AlreadyClosedException if the file is closed
     */
    synchronized IndexInput mapped(MappedFiles files) throws IOException {
        if (isClosed) {
            throw new AlreadyClosedException("Already closed: " + path);
        }
        IndexInput whole = mapped;
        if (whole == null) {
            // Not of one thread alone, as with some other contexts; each part has its own.
            whole = files.open(path.getFileName().toString(), IOContext.DEFAULT);
            mapped = whole;
        }
        return whole;
    }

    // Closing

    /** Closes and unmaps the file. Closing again does nothing. */
    @Override
    public void close() throws IOException {
        IndexInput unmapped;
        synchronized (this) {
            isClosed = true;
            unmapped = mapped;
            mapped = null;
        }
        handle.close();
        try {
            // Those in flight end when their memory is needed.
            ahead.values().forEach(range -> range.prefetch().tryEnd(this));
        } finally {
            // Also if there is no memory to remove them: nothing else unmaps it.
            if (unmapped != null) {
                unmapped.close();
            }
        }
    }

    /** {@return the path} */
    @Override
    public String toString() {
        return path.toString();
    }
}

package dev.sluice.files;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a batch, which the thread of the batch adds. They execute at the same time: a truncation or a
 * {@code writeBack} does not wait for a write of the same batch, unless its file was
 * {@linkplain FileLoop#add(FileHandle, int) added} with a limit of one operation in flight.
 */
abstract sealed class BatchOperations permits FileBatch {

    /** How far a batch is. */
    enum Phase {
        FILLING,
        SUBMITTED,
        COMPLETED
    }

    final FileLoop loop;
    final BatchEntry[] entries;

    // Used by the thread of the batch.

    int size;
    Phase phase = Phase.FILLING;

    BatchOperations(FileLoop loop, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.loop = loop;
        this.entries = new BatchEntry[capacity];
    }

    /**
     * Adds a read.
     *
     * @param file        a file of the loop
     * @param destination takes the bytes; must have at least one byte remaining; its position advances
     * @param position    in the file, in bytes
     * @return the index of the operation, from 0
     * @throws IllegalArgumentException if the buffer is read-only or has no bytes remaining, the position is negative,
     *                                  or the file belongs to another loop
     * @throws IllegalStateException    if the batch is full, or has been submitted and not
     *                                  {@linkplain FileBatch#await waited for}
     */
    public final int read(LoopFile file, ByteBuffer destination, long position) {
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("read: the buffer is read-only");
        }
        if (!destination.hasRemaining()) {
            throw new IllegalArgumentException("read: the buffer has no room");
        }
        return add("read", OperationType.READ, file, destination, position, 0);
    }

    /**
     * Adds a write of all bytes of a buffer.
     *
     * @param file     a file of the loop
     * @param source   the bytes; its position advances
     * @param position in the file, in bytes; ignored if the file was opened for appending
     * @return the index of the operation, from 0
     * @throws IllegalArgumentException if the position is negative, or the file belongs to another loop
     * @throws IllegalStateException    as for {@link #read}
     */
    public final int write(LoopFile file, ByteBuffer source, long position) {
        return add("write", OperationType.WRITE, file, source, position, 0);
    }

    /**
     * Adds a write of all bytes of a buffer, and then a wait until they are on the disk, as one operation; see
     * {@link dev.sluice.proactor.AsyncFile#writeAndForceData(ByteBuffer, long, Object)}. They are durable if it
     * succeeds, and may not be if it fails.
     *
     * @param file     a file of the loop
     * @param source   the bytes; its position advances
     * @param position in the file, in bytes; ignored if the file was opened for appending
     * @return the index of the operation, from 0
     * @throws IllegalArgumentException if the position is negative, or the file belongs to another loop
     * @throws IllegalStateException    as for {@link #read}
     */
    public final int writeAndForceData(LoopFile file, ByteBuffer source, long position) {
        return add("writeAndForceData", OperationType.WRITE_AND_FORCE_DATA, file, source, position, 0);
    }

    /**
     * Adds a wait until everything written is on the disk; see {@link FileHandle#force}. It covers the writes that
     * completed before it was started, and so none of this batch that execute at the same time.
     *
     * @param file a file of the loop
     * @return the index of the operation, from 0
     * @throws IllegalArgumentException if the file belongs to another loop
     * @throws IllegalStateException    as for {@link #read}
     */
    public final int force(LoopFile file) {
        return add("force", OperationType.FORCE, file, null, 0, 0);
    }

    /**
     * Adds a wait until everything written is on the disk, including the metadata that is needed to read it; otherwise
     * as {@link #force}. See {@link FileHandle#forceData}.
     */
    public final int forceData(LoopFile file) {
        return add("forceData", OperationType.FORCE_DATA, file, null, 0, 0);
    }

    /**
     * Adds an operation that truncates or extends a file; see {@link FileHandle#truncate}.
     *
     * @param file a file of the loop
     * @param size the new length in bytes
     * @return the index of the operation, from 0
     * @throws IllegalArgumentException if the size is negative, or the file belongs to another loop
     * @throws IllegalStateException    as for {@link #read}
     */
    public final int truncate(LoopFile file, long size) {
        if (size < 0) {
            throw new IllegalArgumentException("truncate: size: " + size);
        }
        return add("truncate", OperationType.TRUNCATE, file, null, size, 0);
    }

    /**
     * Adds an operation that reserves space for a range; see {@link FileHandle#allocate}. Where the system has no such
     * call, it fails.
     *
     * @param file     a file of the loop
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @return the index of the operation, from 0
     * @throws IllegalArgumentException if the range is not one, or the file belongs to another loop
     * @throws IllegalStateException    as for {@link #read}
     */
    public final int allocate(LoopFile file, long position, long length) {
        return addRange("allocate", OperationType.ALLOCATE, file, position, length);
    }

    /** Adds an operation that frees the space of a range, as {@link #allocate}; see {@link FileHandle#punchHole}. */
    public final int punchHole(LoopFile file, long position, long length) {
        return addRange("punchHole", OperationType.PUNCH_HOLE, file, position, length);
    }

    /** Adds an operation that reads a range ahead, as {@link #allocate}; see {@link FileHandle#prefetch}. */
    public final int prefetch(LoopFile file, long position, long length) {
        return addRange("prefetch", OperationType.PREFETCH, file, position, length);
    }

    /** Adds an operation that drops a range from the cache, as {@link #allocate}; see {@link FileHandle#evict}. */
    public final int evict(LoopFile file, long position, long length) {
        return addRange("evict", OperationType.EVICT, file, position, length);
    }

    /**
     * Adds a wait until what was written to a range has been given to the disk, as {@link #allocate}; see
     * {@link FileHandle#writeBack}. This makes nothing durable.
     */
    public final int writeBack(LoopFile file, long position, long length) {
        return addRange("writeBack", OperationType.WRITE_BACK, file, position, length);
    }

    private int addRange(String method, OperationType type, LoopFile file, long position, long length) {
        if (position >= 0 && (length < 1 || length > Long.MAX_VALUE - position)) {
            throw new IllegalArgumentException(method + ": length: " + length + " from position " + position + " on");
        }
        return add(method, type, file, null, position, length);
    }

    private int add(String method, OperationType type, LoopFile file, @Nullable ByteBuffer buffer, long position,
            long length) {
        if (phase == Phase.SUBMITTED) {
            throw new IllegalStateException(method + ": the batch has been submitted; call await() first");
        }
        if (file.loop != loop) {
            throw new IllegalArgumentException(method + ": " + file + " belongs to " + file.loop + ", not to " + loop);
        }
        if (position < 0) {
            throw new IllegalArgumentException(method + ": position: " + position);
        }
        if (phase == Phase.COMPLETED) {
            size = 0;
            phase = Phase.FILLING;
        }
        if (size == entries.length) {
            throw new IllegalStateException(method + ": the batch is full, with " + size + " operations; submit it");
        }
        BatchEntry entry = entries[size];
        if (entry == null) {
            entry = new BatchEntry((FileBatch) this);
            entries[size] = entry;
        }
        entry.set(type, file, buffer, position, length);
        return size++;
    }

    /** {@return the number of operations} After {@link FileBatch#await}, those of the batch that has completed. */
    public final int size() {
        return size;
    }
}

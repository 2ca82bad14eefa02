package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What is asked about an open file and its ranges asynchronously, besides reading and writing it. */
abstract sealed class AsyncOpenFile extends AsyncHandle permits AsyncFile {

    AsyncOpenFile(Proactor proactor, Handle handle, @Nullable CompletionHandler handler) throws IOException {
        super(proactor, handle, handler);
    }

    AsyncOpenFile(AsyncHandle same, CompletionHandler handler) {
        super(same, handler);
    }

    /**
     * Reserves space for a range, as {@link FileHandle#allocate} does.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @param token    the token of the completion; may be null
     * @return the ticket
     * @throws IllegalArgumentException      if the range is not one
     * @throws UnsupportedOperationException on OpenBSD
     */
    public final long allocate(long position, long length, @Nullable Object token) {
        return range(OperationType.ALLOCATE, position, length, token);
    }

    /** {@return a future of the completion; see {@link #allocate(long, long, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Void> allocateFuture(long position, long length) {
        return rangeFuture(OperationType.ALLOCATE, position, length);
    }

    /**
     * Frees the space of a range, which then reads as zeros, as {@link FileHandle#punchHole} does.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @param token    the token of the completion; may be null
     * @return the ticket
     * @throws IllegalArgumentException      if the range is not one
     * @throws UnsupportedOperationException on OpenBSD, and on FreeBSD before 14
     */
    public final long punchHole(long position, long length, @Nullable Object token) {
        return range(OperationType.PUNCH_HOLE, position, length, token);
    }

    /** {@return a future of the completion; see {@link #punchHole(long, long, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Void> punchHoleFuture(long position, long length) {
        return rangeFuture(OperationType.PUNCH_HOLE, position, length);
    }

    /**
     * Begins to read a range into the system's cache, as {@link FileHandle#prefetch} does. The completion does not mean
     * that the range is there.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @param token    the token of the completion; may be null
     * @return the ticket
     * @throws IllegalArgumentException      if the range is not one
     * @throws UnsupportedOperationException on OpenBSD and Windows
     */
    public final long prefetch(long position, long length, @Nullable Object token) {
        return range(OperationType.PREFETCH, position, length, token);
    }

    /** {@return a future of the completion; see {@link #prefetch(long, long, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Void> prefetchFuture(long position, long length) {
        return rangeFuture(OperationType.PREFETCH, position, length);
    }

    /**
     * Drops a range from the system's cache, as far as it has been written back, as {@link FileHandle#evict} does.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @param token    the token of the completion; may be null
     * @return the ticket
     * @throws IllegalArgumentException      if the range is not one
     * @throws UnsupportedOperationException except on Linux and FreeBSD
     */
    public final long evict(long position, long length, @Nullable Object token) {
        return range(OperationType.EVICT, position, length, token);
    }

    /** {@return a future of the completion; see {@link #evict(long, long, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Void> evictFuture(long position, long length) {
        return rangeFuture(OperationType.EVICT, position, length);
    }

    /**
     * Waits until what was written to a range has been given to the disk, as {@link FileHandle#writeBack} does. This
     * makes nothing durable.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @param token    the token of the completion; may be null
     * @return the ticket
     * @throws IllegalArgumentException      if the range is not one
     * @throws UnsupportedOperationException except on Linux
     */
    public final long writeBack(long position, long length, @Nullable Object token) {
        return range(OperationType.WRITE_BACK, position, length, token);
    }

    /** {@return a future of the completion; see {@link #writeBack(long, long, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Void> writeBackFuture(long position, long length) {
        return rangeFuture(OperationType.WRITE_BACK, position, length);
    }

    /**
     * Truncates or extends the file, as {@link FileHandle#truncate} does. Of a write that is in flight at the same
     * time, all, some or no bytes behind the new end remain.
     *
     * @param size  the new length in bytes
     * @param token the token of the completion; may be null
     * @return the ticket
     * @throws IllegalArgumentException if the size is negative
     */
    public final long truncate(long size, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).truncate(association(), size);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #truncate(long, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Void> truncateFuture(long size) {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).truncate(association(), size);
        return future;
    }

    /**
     * Copies a range of this file to another one, as {@link FileHandle#copyTo} does. A thread of the pool copies a part
     * at a time, and serves other operations in between; a cancellation takes effect then. After a failure or
     * cancellation, some bytes may have been copied, and the error says how many.
     *
     * @param position       the first byte here
     * @param count          the number of bytes
     * @param target         the file to copy to, held open until the completion
     * @param targetPosition the first byte there; the end of a file that was opened for appending, where other writes
     *                       may come in between
     * @param token          the token of the completion, whose result is the number of bytes copied, fewer only if this
     *                       file was shorter when the copy began; may be null
     * @return the ticket
     * @throws IllegalArgumentException if a number is negative, or the target was opened with
     *                                  {@link dev.sluice.handle.FileOption#ATOMIC}
     */
    public final long copyTo(long position, long count, FileHandle target, long targetPosition,
            @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).copy(association(), position, count, target, targetPosition);
        return ticket;
    }

    /** {@return a future of the number of bytes; see {@link #copyTo(long, long, FileHandle, long, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Long> copyToFuture(long position, long count, FileHandle target,
            long targetPosition) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).copy(association(), position, count, target, targetPosition);
        return future;
    }

    /**
     * Locks a range, as {@link FileHandle#lock} does, as soon as that is possible. A cancellation or a timeout ends the
     * attempt, and so does closing the file. The completion has the {@linkplain Completion#lock() lock}; closing that
     * makes a system call, which does not wait, except for file systems of other machines.
     *
     * <p>No thread waits for the lock, because a system call that waits for one cannot be cancelled. Instead, a thread
     * of the pool tries immediately, and then after pauses of 1 ms and twice as much each time, up to 64 ms. So a lock
     * is tried for within 64 ms after it has become free, or as soon as a thread of the pool is, and several attempts
     * obtain it in no particular order.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1; {@link Long#MAX_VALUE} for all up to the end
     * @param shared   as for {@link FileHandle#lock}
     * @param token    the token of the completion; may be null
     * @return the ticket
     * @throws IllegalArgumentException      if the range is not one
     * @throws UnsupportedOperationException on FreeBSD and OpenBSD, for a part of the file
     */
    public final long lock(long position, long length, boolean shared, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).lock(OperationType.LOCK, association(), position, length, shared);
        return ticket;
    }

    /** {@return a future of the lock; see {@link #lock(long, long, boolean, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Closeable> lockFuture(long position, long length, boolean shared) {
        return lockFuture(OperationType.LOCK, position, length, shared);
    }

    /**
     * Locks a range, as {@link FileHandle#tryLock} does. The completion is a success in either case, and has the
     * {@linkplain Completion#lock() lock} unless a part of the range is locked.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1; {@link Long#MAX_VALUE} for all up to the end
     * @param shared   as for {@link FileHandle#lock}
     * @param token    the token of the completion; may be null
     * @return the ticket
     * @throws IllegalArgumentException      if the range is not one
     * @throws UnsupportedOperationException on FreeBSD and OpenBSD, for a part of the file
     */
    public final long tryLock(long position, long length, boolean shared, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).lock(OperationType.TRY_LOCK, association(), position, length, shared);
        return ticket;
    }

    /**
     * {@return a future of the lock, null if a part of the range is locked; see
     * {@link #tryLock(long, long, boolean, Object)}}
     */
    @CheckReturnValue
    public final CompletableFuture<@Nullable Closeable> tryLockFuture(long position, long length, boolean shared) {
        return lockFuture(OperationType.TRY_LOCK, position, length, shared);
    }

    private OperationFuture<Closeable> lockFuture(OperationType type, long position, long length, boolean shared) {
        OperationFuture<Closeable> future = new OperationFuture<>(proactor(), this::cancel, Completion::lock);
        claimFor(future).lock(type, association(), position, length, shared);
        return future;
    }

    /**
     * Reads the attributes of the open file, as {@link FileHandle#status} does. The completion has them.
     *
     * @param token the token of the completion; may be null
     * @return the ticket
     * @throws UnsupportedOperationException on Windows
     */
    public final long status(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).status(association());
        return ticket;
    }

    /** {@return a future of the attributes; see {@link #status(Object)}} */
    @CheckReturnValue
    public final CompletableFuture<PosixFileAttributes> statusFuture() {
        OperationFuture<PosixFileAttributes> future = new OperationFuture<>(proactor(), this::cancel,
                Completion::status);
        claimFor(future).status(association());
        return future;
    }

    private long range(OperationType type, long position, long length, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).range(type, association(), position, length);
        return ticket;
    }

    private CompletableFuture<Void> rangeFuture(OperationType type, long position, long length) {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).range(type, association(), position, length);
        return future;
    }
}

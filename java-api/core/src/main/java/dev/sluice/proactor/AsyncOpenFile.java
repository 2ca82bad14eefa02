package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
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

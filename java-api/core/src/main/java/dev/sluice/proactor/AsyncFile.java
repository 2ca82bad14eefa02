package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes a file asynchronously. Operations are executed in no particular order. {@link Proactor#openFile}
 * opens a file without waiting.
 */
public final class AsyncFile extends AsyncHandle {

    private final FileHandle file;

    /**
     * Lets operations be started on a file.
     *
     * @param proactor that calls the handler
     * @param file     the file; the caller still owns it
     * @param handler  gets the completions
     * @throws IOException           if the file or the proactor is closed
     * @throws IllegalStateException if the file belongs to an {@code AsyncFile} of this proactor already
     */
    public AsyncFile(Proactor proactor, FileHandle file, CompletionHandler handler) throws IOException {
        super(proactor, file.handle(), Objects.requireNonNull(handler, "handler"));
        this.file = file;
    }

    /** As {@link #AsyncFile(Proactor, FileHandle, CompletionHandler)}, for completions that go to futures. */
    public AsyncFile(Proactor proactor, FileHandle file) throws IOException {
        super(proactor, file.handle(), null);
        this.file = file;
    }

    private AsyncFile(AsyncFile same, CompletionHandler handler) {
        super(same, handler);
        this.file = same.file;
    }

    /**
     * Makes another object for the same file, to start those operations with that are to have another completion
     * handler. Its tickets are its own, too.
     *
     * @param other gets the completions of what is started with the new object
     * @return the new object
     */
    @CheckReturnValue
    public AsyncFile withHandler(CompletionHandler other) {
        return new AsyncFile(this, other);
    }

    /** {@return the file} */
    public FileHandle file() {
        return file;
    }

    /**
     * Reads at a position.
     *
     * @param destination takes the bytes, with room for at least one
     * @param position    in the file, in bytes
     * @param token       for the completion; may be null
     * @return the ticket
     */
    public long read(ByteBuffer destination, long position, @Nullable Object token) {
        return transfer(OperationType.READ, destination, position, false, token);
    }

    /**
     * {@return completes with the number of bytes, -1 at or past the end of the file; see
     * {@link #read(ByteBuffer, long, Object)}}
     */
    @CheckReturnValue
    public CompletableFuture<Long> readFuture(ByteBuffer destination, long position) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).read(association(), destination, position);
        return future;
    }

    /**
     * Reads at a position into several buffers.
     *
     * @param destinations filled one after the other; the first 16 with room are used
     * @param offset       the first buffer
     * @param count        the number of buffers
     * @param position     in the file, in bytes
     * @param token        for the completion; may be null
     * @return the ticket
     */
    public long read(ByteBuffer[] destinations, int offset, int count, long position, @Nullable Object token) {
        return transfer(OperationType.READ, destinations, offset, count, position, false, token);
    }

    /**
     * Writes all bytes at a position, or at the end of a file that was opened for appending.
     *
     * @param source   the bytes
     * @param position in the file, in bytes
     * @param token    for the completion; may be null
     * @return the ticket
     */
    public long write(ByteBuffer source, long position, @Nullable Object token) {
        return transfer(OperationType.WRITE, source, position, true, token);
    }

    /** {@return completes with the number of bytes; see {@link #write(ByteBuffer, long, Object)}} */
    @CheckReturnValue
    public CompletableFuture<Long> writeFuture(ByteBuffer source, long position) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).write(association(), source, position);
        return future;
    }

    /**
     * Writes all bytes of several buffers at a position, or at the end of a file that was opened for appending.
     *
     * @param sources  written one after the other
     * @param offset   the first buffer
     * @param count    the number of buffers
     * @param position in the file, in bytes
     * @param token    for the completion; may be null
     * @return the ticket
     */
    public long write(ByteBuffer[] sources, int offset, int count, long position, @Nullable Object token) {
        return transfer(OperationType.WRITE, sources, offset, count, position, true, token);
    }

    /**
     * Waits until everything written is on the disk.
     *
     * @param token for the completion; may be null
     * @return the ticket
     */
    public long force(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).force(association());
        return ticket;
    }

    /** {@return completes when it is there; see {@link #force(Object)}} */
    @CheckReturnValue
    public CompletableFuture<Void> forceFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).force(association());
        return future;
    }

    /**
     * Waits until everything written is on the disk, and of the status of the file what is needed to read that again,
     * such as its length; see {@link FileHandle#forceData}.
     *
     * @param token for the completion; may be null
     * @return the ticket
     */
    public long forceData(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).forceData(association());
        return ticket;
    }

    /** {@return completes when it is there; see {@link #forceData(Object)}} */
    @CheckReturnValue
    public CompletableFuture<Void> forceDataFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).forceData(association());
        return future;
    }
}

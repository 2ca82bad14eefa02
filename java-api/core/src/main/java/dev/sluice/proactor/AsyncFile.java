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
     * Creates an object to start operations on a file.
     *
     * @param proactor the proactor that calls the handler
     * @param file     the file; still owned by the caller
     * @param handler  receives the completions
     * @throws IOException           if the file or the proactor is closed
     * @throws IllegalStateException if there is already an {@code AsyncFile} of this proactor for the file
     */
    public AsyncFile(Proactor proactor, FileHandle file, CompletionHandler handler) throws IOException {
        super(proactor, file.handle(), Objects.requireNonNull(handler, "handler"));
        this.file = file;
    }

    /** As {@link #AsyncFile(Proactor, FileHandle, CompletionHandler)}, for operations that return futures. */
    public AsyncFile(Proactor proactor, FileHandle file) throws IOException {
        super(proactor, file.handle(), null);
        this.file = file;
    }

    private AsyncFile(AsyncFile same, CompletionHandler handler) {
        super(same, handler);
        this.file = same.file;
    }

    /**
     * Creates another object for the same file, to start operations with another completion handler. Tickets are valid
     * only for the object that has returned them.
     *
     * @param other receives the completions of operations that are started with the new object
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
     * @param destination takes the bytes; must have at least one byte remaining
     * @param position    the position in the file, in bytes
     * @param token       the token of the completion; may be null
     * @return the ticket
     */
    public long read(ByteBuffer destination, long position, @Nullable Object token) {
        return transfer(OperationType.READ, destination, position, false, token);
    }

    /**
     * {@return a future of the number of bytes, -1 at or past the end of the file; see
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
     * @param destinations the buffers, filled in order; the first 16 with space remaining are used
     * @param offset       the index of the first buffer
     * @param count        the number of buffers
     * @param position     the position in the file, in bytes
     * @param token        the token of the completion; may be null
     * @return the ticket
     */
    public long read(ByteBuffer[] destinations, int offset, int count, long position, @Nullable Object token) {
        return transfer(OperationType.READ, destinations, offset, count, position, false, token);
    }

    /**
     * Writes all bytes at a position, or at the end of a file that was opened for appending.
     *
     * @param source   the bytes
     * @param position the position in the file, in bytes
     * @param token    the token of the completion; may be null
     * @return the ticket
     */
    public long write(ByteBuffer source, long position, @Nullable Object token) {
        return transfer(OperationType.WRITE, source, position, true, token);
    }

    /** {@return a future of the number of bytes; see {@link #write(ByteBuffer, long, Object)}} */
    @CheckReturnValue
    public CompletableFuture<Long> writeFuture(ByteBuffer source, long position) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).write(association(), source, position);
        return future;
    }

    /**
     * Writes all bytes of several buffers at a position, or at the end of a file that was opened for appending.
     *
     * @param sources  the buffers, written in order
     * @param offset   the index of the first buffer
     * @param count    the number of buffers
     * @param position the position in the file, in bytes
     * @param token    the token of the completion; may be null
     * @return the ticket
     */
    public long write(ByteBuffer[] sources, int offset, int count, long position, @Nullable Object token) {
        return transfer(OperationType.WRITE, sources, offset, count, position, true, token);
    }

    /**
     * Writes all bytes at a position, or at the end of a file that was opened for appending, and then waits until they
     * are on the disk, as {@link #forceData} does. Only a completion that is a success says that they are durable. The
     * force also covers each write that completed before this operation was started.
     *
     * <p>A failure names the call that has failed, {@code pwrite} or {@code fdatasync}, and how many bytes were written
     * before; the position of the buffer has advanced by these. They may be on the disk or not. If the write fails,
     * nothing is forced. If the force fails, another one that succeeds does not make these bytes durable, because the
     * system may have dropped them; write them again. A cancellation may leave all, some or none of them written.
     *
     * <p>On io_uring, this is one submission of two requests, of which the kernel begins the second when the first has
     * written all bytes; a short write is continued by another such chain. Elsewhere a thread forces when it has
     * written the last byte.
     *
     * @param source   the bytes; without any, earlier writes are forced
     * @param position the position in the file, in bytes
     * @param token    the token of the completion; may be null
     * @return the ticket
     */
    public long writeAndForceData(ByteBuffer source, long position, @Nullable Object token) {
        return transfer(OperationType.WRITE_AND_FORCE_DATA, source, position, true, token);
    }

    /** {@return a future of the number of bytes; see {@link #writeAndForceData(ByteBuffer, long, Object)}} */
    @CheckReturnValue
    public CompletableFuture<Long> writeAndForceDataFuture(ByteBuffer source, long position) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).writeAndForceData(association(), source, position);
        return future;
    }

    /**
     * Writes all bytes of several buffers and forces them, as {@link #writeAndForceData(ByteBuffer, long, Object)}
     * does.
     *
     * @param sources  the buffers, written in order
     * @param offset   the index of the first buffer
     * @param count    the number of buffers
     * @param position the position in the file, in bytes
     * @param token    the token of the completion; may be null
     * @return the ticket
     */
    public long writeAndForceData(ByteBuffer[] sources, int offset, int count, long position, @Nullable Object token) {
        return transfer(OperationType.WRITE_AND_FORCE_DATA, sources, offset, count, position, true, token);
    }

    /**
     * Waits until everything written is on the disk, as {@link FileHandle#force} does.
     *
     * @param token the token of the completion; may be null
     * @return the ticket
     */
    public long force(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).force(association());
        return ticket;
    }

    /** {@return a future of the completion; see {@link #force(Object)}} */
    @CheckReturnValue
    public CompletableFuture<Void> forceFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).force(association());
        return future;
    }

    /**
     * Waits until everything written is on the disk, including the metadata that is needed to read it, as
     * {@link FileHandle#forceData} does.
     *
     * @param token the token of the completion; may be null
     * @return the ticket
     */
    public long forceData(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).forceData(association());
        return ticket;
    }

    /** {@return a future of the completion; see {@link #forceData(Object)}} */
    @CheckReturnValue
    public CompletableFuture<Void> forceDataFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).forceData(association());
        return future;
    }
}

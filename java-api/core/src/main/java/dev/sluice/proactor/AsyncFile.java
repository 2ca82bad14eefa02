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
 * Reads and writes a file asynchronously. {@link Proactor} has the operations that open a file, and those on names in
 * directories.
 *
 * <p><b>The order of operations on one file.</b> By itself there is none: operations in flight at the same time are
 * executed in any order, or concurrently, and a read may get some of the bytes of a write. To order two operations,
 * start the second one after the completion of the first one. There are two exceptions. Writes through a handle that
 * was opened for appending are executed one at a time, in the order in which they were started with this proactor, and
 * the bytes of one stay together; one that fails or is cancelled holds back no others. {@link #force} and {@link
 * #forceData} cover every write that completed before they were started; whether they cover others is undefined. All
 * this is the same on every demultiplexer.
 *
 * <table>
 * <caption>What executes an operation: the system (native), or a thread of a pool. Where there is neither (no),
 * starting it throws an {@link UnsupportedOperationException}.</caption>
 * <tr><th>operation</th><th>io_uring</th><th>Linux without it</th><th>macOS</th><th>FreeBSD</th><th>OpenBSD</th>
 * <th>Windows</th></tr>
 * <tr><td>read, write</td><td>native</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td><td>native</td></tr>
 * <tr><td>the same with several buffers</td><td>native</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td>
 * <td>native, a call for each buffer</td></tr>
 * <tr><td>writeAndForceData</td><td>native</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td>
 * <td>native, then pool</td></tr>
 * <tr><td>force, forceData</td><td>native</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td></tr>
 * <tr><td>allocate</td><td>native</td><td>pool</td><td>pool</td><td>pool</td><td>no</td><td>pool</td></tr>
 * <tr><td>punchHole</td><td>native</td><td>pool</td><td>pool</td><td>pool</td><td>no</td><td>pool</td></tr>
 * <tr><td>prefetch</td><td>native</td><td>pool</td><td>pool</td><td>pool</td><td>no</td><td>no</td></tr>
 * <tr><td>evict</td><td>native</td><td>pool</td><td>no</td><td>pool</td><td>no</td><td>no</td></tr>
 * <tr><td>writeBack</td><td>native</td><td>pool</td><td>no</td><td>no</td><td>no</td><td>no</td></tr>
 * <tr><td>status</td><td>native</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td><td>no</td></tr>
 * <tr><td>truncate</td><td>native</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td></tr>
 * <tr><td>copyTo</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td></tr>
 * <tr><td>lock, tryLock of a range</td><td>pool</td><td>pool</td><td>pool</td><td>no</td><td>no</td><td>pool</td></tr>
 * <tr><td>lock, tryLock of the whole file</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td><td>pool</td>
 * <td>pool</td></tr>
 * </table>
 *
 * <p>On io_uring the pool executes what a file system refuses with {@code EOPNOTSUPP}, and {@link #prefetch},
 * {@link #evict} and {@link #writeBack} of 4 GiB or more, and before Linux 6.9 {@link #truncate}. FreeBSD has {@link
 * #punchHole} since 14. On Linux the loop thread itself makes reads and writes that the system's cache serves, up to a
 * number of bytes ({@code sluice.cached-file-bytes}).
 *
 * <p>A FIFO has no positions: io_uring reads what comes, and {@code pread}, which other demultiplexers use, fails with
 * {@code ESPIPE}.
 */
public final class AsyncFile extends AsyncOpenFile {

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
     * @param destinations the buffers, filled in order; the first 16 with space remaining are used; the array belongs
     *                     to the operation, too
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
     * @param sources  the buffers, written in order; the array belongs to the operation, too
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
     * system may have dropped them; write them again. The system reports that once for an open file: if any force of it
     * fails, a success of another one that was in flight at the same time proves nothing, unless both are of appends by
     * this object. A cancellation may leave all, some or none of the bytes written.
     *
     * <p>Appends are written one after the other, and no write waits for the force of an earlier append. One force of
     * them is executed at a time. It covers all that were known to be written when it began, and if it fails, so do all
     * that have been begun by its end.
     *
     * <p>On io_uring, the last part is one submission of two requests, of which the kernel begins the second when the
     * first has written all bytes; a short write is continued by another such chain. Where several threads share the
     * ring, or its submission queue has one free place, or the force of another append is not over, the second follows
     * after the first has completed. Elsewhere a thread forces when it has written the last byte; for an append,
     * another thread may force, and later.
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
     * @param sources  the buffers, written in order; the array belongs to the operation, too
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

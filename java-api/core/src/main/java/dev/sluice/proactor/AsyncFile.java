package dev.sluice.proactor;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

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
     * @param handler  its {@link CompletionHandler#handleRead}, {@link CompletionHandler#handleWrite} and
     *                  {@link CompletionHandler#handleOther} are called
     * @throws IOException           if the file or the proactor is closed
     * @throws IllegalStateException if the file belongs to an {@code AsyncFile} of this proactor already
     */
    public AsyncFile(Proactor proactor, FileHandle file, CompletionHandler handler) throws IOException {
        super(proactor, file.handle(), Objects.requireNonNull(handler, "handler"));
        this.file = file;
    }

    /**
     * Lets operations be started on a file whose completions go to futures, or to a handler that is given
     * with each start.
     *
     * @param proactor that calls the handler
     * @param file     the file; the caller still owns it
     * @throws IOException           if the file or the proactor is closed
     * @throws IllegalStateException if the file belongs to an {@code AsyncFile} of this proactor already
     */
    public AsyncFile(Proactor proactor, FileHandle file) throws IOException {
        super(proactor, file.handle(), null);
        this.file = file;
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
     * @param token       for the completion
     * @return the ticket
     */
    public long read(ByteBuffer destination, long position, Object token) {
        return read(handler(), destination, position, token);
    }

    /**
     * Reads at a position.
     *
     * @param destination takes the bytes, with room for at least one
     * @param position    in the file, in bytes
     * @return completes with the number of bytes, -1 at or past the end of the file
     */
    public CompletableFuture<Long> readFuture(ByteBuffer destination, long position) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor());
        return future.started(this::cancel, read(future.handler(), destination, position, null));
    }

    /**
     * Like {@link #read(ByteBuffer, long, Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     */
    public long read(CompletionHandler target, ByteBuffer destination, long position, Object token) {
        long ticket = claim(target, token);
        claimed(ticket).read(association(), destination, position);
        return ticket;
    }

    /**
     * Reads at a position into several buffers.
     *
     * @param destinations filled one after the other; the first 16 with room are used
     * @param offset       the first buffer
     * @param count        the number of buffers
     * @param position     in the file, in bytes
     * @param token        for the completion
     * @return the ticket
     */
    public long read(ByteBuffer[] destinations, int offset, int count, long position, Object token) {
        return read(handler(), destinations, offset, count, position, token);
    }

    /**
     * Like {@link #read(ByteBuffer[], int, int, long, Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     */
    public long read(CompletionHandler target, ByteBuffer[] destinations, int offset, int count, long position,
                      Object token) {
        long ticket = claim(target, token);
        claimed(ticket).read(association(), destinations, offset, count, position);
        return ticket;
    }

    /**
     * Writes all bytes at a position, or at the end of a file that was opened for appending.
     *
     * @param source   the bytes
     * @param position in the file, in bytes
     * @param token    for the completion
     * @return the ticket
     */
    public long write(ByteBuffer source, long position, Object token) {
        return write(handler(), source, position, token);
    }

    /**
     * Writes all bytes at a position, or at the end of a file that was opened for appending.
     *
     * @param source   the bytes
     * @param position in the file, in bytes
     * @return completes with the number of bytes
     */
    public CompletableFuture<Long> writeFuture(ByteBuffer source, long position) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor());
        return future.started(this::cancel, write(future.handler(), source, position, null));
    }

    /**
     * Like {@link #write(ByteBuffer, long, Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     */
    public long write(CompletionHandler target, ByteBuffer source, long position, Object token) {
        long ticket = claim(target, token);
        claimed(ticket).write(association(), source, position);
        return ticket;
    }

    /**
     * Writes all bytes of several buffers at a position, or at the end of a file that was opened for appending.
     *
     * @param sources  written one after the other
     * @param offset   the first buffer
     * @param count    the number of buffers
     * @param position in the file, in bytes
     * @param token    for the completion
     * @return the ticket
     */
    public long write(ByteBuffer[] sources, int offset, int count, long position, Object token) {
        return write(handler(), sources, offset, count, position, token);
    }

    /**
     * Like {@link #write(ByteBuffer[], int, int, long, Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     */
    public long write(CompletionHandler target, ByteBuffer[] sources, int offset, int count, long position,
                      Object token) {
        long ticket = claim(target, token);
        claimed(ticket).write(association(), sources, offset, count, position);
        return ticket;
    }

    /**
     * Waits until everything written is on the disk.
     *
     * @param token for the completion
     * @return the ticket
     */
    public long force(Object token) {
        return force(handler(), token);
    }

    /**
     * Waits until everything written is on the disk.
     *
     * @return completes when it is there
     */
    public CompletableFuture<Void> forceFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor());
        return future.started(this::cancel, force(future.handler(), null));
    }

    /**
     * Like {@link #force(Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     */
    public long force(CompletionHandler target, Object token) {
        long ticket = claim(target, token);
        claimed(ticket).force(association());
        return ticket;
    }

    /**
     * Waits until everything written is on the disk, and of the status of the file what is needed to read that again,
     * such as its length; see {@link FileHandle#forceData}.
     *
     * @param token for the completion
     * @return the ticket
     */
    public long forceData(Object token) {
        return forceData(handler(), token);
    }

    /**
     * As {@link #forceData(Object)}.
     *
     * @return completes when it is there
     */
    public CompletableFuture<Void> forceDataFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor());
        return future.started(this::cancel, forceData(future.handler(), null));
    }

    /**
     * Like {@link #forceData(Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     */
    public long forceData(CompletionHandler target, Object token) {
        long ticket = claim(target, token);
        claimed(ticket).forceData(association());
        return ticket;
    }
}

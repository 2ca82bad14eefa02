package dev.sluice.proactor;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * Reads and writes a file asynchronously. Operations have no order among each other. {@link Proactor#openFile} opens
 * one without waiting.
 */
public final class AsyncFile extends AsyncHandle {

    private final FileHandle file;

    /**
     * Lets operations be started on a file.
     *
     * @param proactor that calls the handler
     * @param file     the file, which the caller goes on owning
     * @param handler  its {@link CompletionHandler#handleRead}, {@link CompletionHandler#handleWrite} and
     *                  {@link CompletionHandler#handleOther} are called
     * @throws IOException           if the file is closed
     * @throws IllegalStateException if the file belongs to an {@code AsyncFile} of this proactor already
     */
    public AsyncFile(Proactor proactor, FileHandle file, CompletionHandler handler) throws IOException {
        super(proactor, file.handle(), handler);
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
     * @return completes with the number of bytes, 0 at or behind the end of the file
     */
    public CompletableFuture<Long> readFuture(ByteBuffer destination, long position) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor());
        return future.started(this::cancel, read(future, destination, position, null));
    }

    private long read(CompletionHandler target, ByteBuffer destination, long position, Object token) {
        Initiation initiation = claim(target, token);
        long ticket = initiation.ticket();
        try {
            initiation.operation().read(association(), destination, position);
        } catch (RuntimeException | Error e) {
            initiation.release();
            throw e;
        }
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

    private long read(CompletionHandler target, ByteBuffer[] destinations, int offset, int count, long position,
                      Object token) {
        Initiation initiation = claim(target, token);
        long ticket = initiation.ticket();
        try {
            initiation.operation().read(association(), destinations, offset, count, position);
        } catch (RuntimeException | Error e) {
            initiation.release();
            throw e;
        }
        return ticket;
    }

    /**
     * Writes all bytes at a position, or at the end of a file that was opened to append.
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
     * Writes all bytes at a position, or at the end of a file that was opened to append.
     *
     * @param source   the bytes
     * @param position in the file, in bytes
     * @return completes with the number of bytes
     */
    public CompletableFuture<Long> writeFuture(ByteBuffer source, long position) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor());
        return future.started(this::cancel, write(future, source, position, null));
    }

    private long write(CompletionHandler target, ByteBuffer source, long position, Object token) {
        Initiation initiation = claim(target, token);
        long ticket = initiation.ticket();
        try {
            initiation.operation().write(association(), source, position);
        } catch (RuntimeException | Error e) {
            initiation.release();
            throw e;
        }
        return ticket;
    }

    /**
     * Writes all bytes of several buffers at a position, or at the end of a file that was opened to append.
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

    private long write(CompletionHandler target, ByteBuffer[] sources, int offset, int count, long position,
                      Object token) {
        Initiation initiation = claim(target, token);
        long ticket = initiation.ticket();
        try {
            initiation.operation().write(association(), sources, offset, count, position);
        } catch (RuntimeException | Error e) {
            initiation.release();
            throw e;
        }
        return ticket;
    }

    /**
     * Brings everything written to the disk.
     *
     * @param token for the completion
     * @return the ticket
     */
    public long force(Object token) {
        return force(handler(), token);
    }

    /**
     * Brings everything written to the disk.
     *
     * @return completes when it is there
     */
    public CompletableFuture<Void> forceFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor());
        return future.started(this::cancel, force(future, null));
    }

    private long force(CompletionHandler target, Object token) {
        Initiation initiation = claim(target, token);
        long ticket = initiation.ticket();
        try {
            initiation.operation().force(association());
        } catch (RuntimeException | Error e) {
            initiation.release();
            throw e;
        }
        return ticket;
    }
}

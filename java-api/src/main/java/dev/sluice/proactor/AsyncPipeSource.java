package dev.sluice.proactor;

import dev.sluice.handle.PipeSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Reads from a pipe or a terminal, such as standard input ({@link dev.sluice.handle.Handle#adopt}). Reads are executed
 * in the order they were started. The bytes of buffers that are not direct are copied. On Windows this is for the pipes
 * of {@link dev.sluice.handle.Pipe#open}, which are sockets there, and for other sockets, but neither for named pipes
 * nor for consoles.
 */
public final class AsyncPipeSource extends AsyncHandle {

    private final PipeSource source;

    /**
     * Lets operations be started on it.
     *
     * @param proactor that calls the handler
     * @param source   where the bytes come out; the caller still owns it
     * @param handler  its {@link CompletionHandler#handleRead} and {@link CompletionHandler#handleOther} are called
     * @throws IOException           if it or the proactor is closed, or the system refuses
     * @throws IllegalStateException if it belongs to an {@code AsyncPipeSource} of this proactor already
     */
    public AsyncPipeSource(Proactor proactor, PipeSource source, CompletionHandler handler) throws IOException {
        super(proactor, source.handle(), Objects.requireNonNull(handler, "handler"));
        this.source = source;
    }

    /**
     * Lets operations be started on it whose completions go to futures, or to a handler that is given with each start.
     *
     * @param proactor that calls the handler
     * @param source   where the bytes come out; the caller still owns it
     * @throws IOException           if it or the proactor is closed, or the system refuses
     * @throws IllegalStateException if it belongs to an {@code AsyncPipeSource} of this proactor already
     */
    public AsyncPipeSource(Proactor proactor, PipeSource source) throws IOException {
        super(proactor, source.handle(), null);
        this.source = source;
    }

    /** {@return where the bytes come out} */
    public PipeSource source() {
        return source;
    }

    /**
     * Reads what there is, at least one byte, or the end: when every sink of the pipe is closed and all is read.
     *
     * @param destination takes the bytes, with room for at least one
     * @param token       for the completion
     * @return the ticket
     */
    public long read(ByteBuffer destination, Object token) {
        return read(handler(), destination, token);
    }

    /**
     * Reads what there is, at least one byte, or the end: when every sink of the pipe is closed and all is read.
     *
     * @param destination takes the bytes, with room for at least one
     * @return completes with the number of bytes, -1 at the end
     */
    public OperationFuture<Long> readFuture(ByteBuffer destination) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor());
        return future.started(this::cancel, read(future.handler(), destination, null));
    }

    /**
     * Like {@link #read(ByteBuffer, Object)}, with a completion handler of its own.
     *
     * @param target      is called instead of the handler of this object
     * @param destination takes the bytes, with room for at least one
     * @param token       for the completion
     * @return the ticket
     */
    public long read(CompletionHandler target, ByteBuffer destination, Object token) {
        long ticket = claim(target, token);
        claimed(ticket).readPipe(association(), destination);
        return ticket;
    }
}

package dev.sluice.proactor;

import dev.sluice.handle.PipeSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Writes to a pipe or a terminal, such as standard output ({@link dev.sluice.handle.Handle#adopt}). Writes are executed
 * in the order they were started. The bytes of buffers that are not direct are copied. On Windows this is for the pipes
 * of {@link dev.sluice.handle.Pipe#open}, which are sockets there, and for other sockets, but neither for named pipes
 * nor for consoles.
 */
public final class AsyncPipeSink extends AsyncHandle {

    private final PipeSink sink;

    /**
     * Lets operations be started on it.
     *
     * @param proactor that calls the handler
     * @param sink     where the bytes go in; the caller still owns it
     * @param handler  its {@link CompletionHandler#handleWrite} and {@link CompletionHandler#handleOther} are called
     * @throws IOException           if it or the proactor is closed, or the system refuses
     * @throws IllegalStateException if it belongs to an {@code AsyncPipeSink} of this proactor already
     */
    public AsyncPipeSink(Proactor proactor, PipeSink sink, CompletionHandler handler) throws IOException {
        super(proactor, sink.handle(), Objects.requireNonNull(handler, "handler"));
        this.sink = sink;
    }

    /**
     * Lets operations be started on it whose completions go to futures, or to a handler that is given with each start.
     *
     * @param proactor that calls the handler
     * @param sink     where the bytes go in; the caller still owns it
     * @throws IOException           if it or the proactor is closed, or the system refuses
     * @throws IllegalStateException if it belongs to an {@code AsyncPipeSink} of this proactor already
     */
    public AsyncPipeSink(Proactor proactor, PipeSink sink) throws IOException {
        super(proactor, sink.handle(), null);
        this.sink = sink;
    }

    /** {@return where the bytes go in} */
    public PipeSink sink() {
        return sink;
    }

    /**
     * Writes all bytes, however long the other end takes to read them; fails with {@code EPIPE} once nobody can.
     *
     * @param source the bytes
     * @param token  for the completion
     * @return the ticket
     */
    public long write(ByteBuffer source, Object token) {
        return write(handler(), source, token);
    }

    /**
     * Writes all bytes, however long the other end takes to read them; fails with {@code EPIPE} once nobody can.
     *
     * @param source the bytes
     * @return completes with the number of bytes
     */
    public OperationFuture<Long> writeFuture(ByteBuffer source) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor());
        return future.started(this::cancel, write(future.handler(), source, null));
    }

    /**
     * Like {@link #write(ByteBuffer, Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     * @param source the bytes
     * @param token  for the completion
     * @return the ticket
     */
    public long write(CompletionHandler target, ByteBuffer source, Object token) {
        long ticket = claim(target, token);
        claimed(ticket).writePipe(association(), source);
        return ticket;
    }
}

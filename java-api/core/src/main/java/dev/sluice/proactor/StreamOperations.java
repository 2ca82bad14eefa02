package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The individual operations that a program starts on a stream. Methods are final, because each call would use a bridge
 * method otherwise.
 */
abstract sealed class StreamOperations extends AsyncHandle permits AsyncStream {

    StreamOperations(Proactor proactor, Handle handle, @Nullable CompletionHandler handler) throws IOException {
        super(proactor, handle, handler);
    }

    StreamOperations(Proactor proactor, @Nullable Association association) {
        super(proactor, association);
    }

    StreamOperations(StreamOperations same, CompletionHandler handler) {
        super(same, handler);
    }

    // Handlers

    /**
     * Replaces the handler, for example when the protocol of the connection changes. From now on the hooks of the new
     * handler are called, with the tokens of the previous one: for completions that have not been dispatched, for
     * operations in flight, such as a continuous receive, and for those that are started later. Each completion goes to
     * exactly one of the two, in order. Operations that were started with another handler, or with a future, are not
     * affected.
     *
     * <p>Must be called by a hook of this stream, as its last action with the stream, or while no operation is in
     * flight.
     *
     * @param next the new handler, which may be an earlier one
     * @throws IllegalStateException if this object was created without a handler
     */
    public final void handOver(CompletionHandler next) {
        replaceHandler(Objects.requireNonNull(next, "next"));
    }

    /**
     * Replaces the handler, as {@link #handOver(CompletionHandler)} does, and passes it received bytes that belong to
     * the new protocol. Before this method returns, and before any other completion, the new handler is called with a
     * completion of a continuous receive, which is not the last one, and whose
     * {@linkplain dev.sluice.demultiplexer.Completion#buffer() buffer} contains these bytes. Its exceptions are passed
     * to its {@link CompletionHandler#handleFailure}.
     *
     * @param next       the new handler
     * @param unconsumed the remaining bytes of a buffer that the calling hook has received, which are copied; its
     *                   position advances to its limit. If there are none, only the handler is replaced.
     * @param token      the token of that completion, usually that of the continuous receive
     * @throws IllegalStateException if this object was created without a handler
     */
    public final void handOver(CompletionHandler next, ByteBuffer unconsumed, @Nullable Object token) {
        handOver(next);
        if (unconsumed.hasRemaining()) {
            CompletionBatches.OfThread.dispatch(LocalCompletion.received(handle(), next, token, unconsumed),
                    proactor().trace().orElse(null));
        }
    }

    // Receiving

    /**
     * Receives the available bytes, at least one, or the end of the stream.
     *
     * @param destination takes the bytes; must have at least one byte remaining
     * @param token       the token of the completion; may be null
     * @return the ticket
     */
    public final long receive(ByteBuffer destination, @Nullable Object token) {
        return transfer(OperationType.RECEIVE, destination, 0, false, token);
    }

    /**
     * {@return a future of the number of bytes, -1 at the end of the stream; see {@link #receive(ByteBuffer, Object)}}
     */
    @CheckReturnValue
    public final CompletableFuture<Long> receiveFuture(ByteBuffer destination) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).receive(association(), destination);
        return future;
    }

    /**
     * Scatters the available bytes over several buffers.
     *
     * @param destinations the buffers, filled in order, with at least one byte remaining; the first 16 with space
     *                     remaining are used; the array belongs to the operation, too
     * @param offset       the index of the first buffer
     * @param count        the number of buffers
     * @param token        the token of the completion; may be null
     * @return the ticket
     */
    public final long receive(ByteBuffer[] destinations, int offset, int count, @Nullable Object token) {
        return transfer(OperationType.RECEIVE, destinations, offset, count, 0, false, token);
    }

    /**
     * Receives until the end of the stream, a failure or a cancellation, which is the last completion. Each completion
     * has its bytes in a {@linkplain dev.sluice.demultiplexer.Completion#buffer() buffer} of the demultiplexer, so an
     * idle connection needs no buffer.
     *
     * @param token the token of the completion; may be null
     * @return the ticket
     */
    public final long receiveContinuously(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).receiveContinuously(association());
        return ticket;
    }

    // Sending

    /**
     * Sends all bytes, without a timeout.
     *
     * @param source the bytes
     * @param token  the token of the completion; may be null
     * @return the ticket
     */
    public final long send(ByteBuffer source, @Nullable Object token) {
        return transfer(OperationType.SEND, source, 0, true, token);
    }

    /** {@return a future of the number of bytes; see {@link #send(ByteBuffer, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Long> sendFuture(ByteBuffer source) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).send(association(), source, true);
        return future;
    }

    /**
     * Gathers the bytes of several buffers and sends all of them.
     *
     * @param sources the buffers, sent in order; the array belongs to the operation, too
     * @param offset  the index of the first buffer
     * @param count   the number of buffers
     * @param token   the token of the completion; may be null
     * @return the ticket
     */
    public final long send(ByteBuffer[] sources, int offset, int count, @Nullable Object token) {
        return transfer(OperationType.SEND, sources, offset, count, 0, true, token);
    }

    /** {@return a future of the number of bytes; see {@link #send(ByteBuffer[], int, int, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Long> sendFuture(ByteBuffer[] sources, int offset, int count) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).send(association(), sources, offset, count, true);
        return future;
    }

    /**
     * Sends as many bytes as the socket's buffer takes, at least one. If bytes remain, sends that were started after it
     * fail with {@code EPIPE}, so no send should be started before its completion.
     *
     * @param source the bytes; its position advances by the number of bytes sent
     * @param token  the token of the completion; may be null
     * @return the ticket
     */
    public final long sendSome(ByteBuffer source, @Nullable Object token) {
        return transfer(OperationType.SEND, source, 0, false, token);
    }

    /**
     * Sends a header, a part of a file without copying it through the heap, and a trailer, with nothing in between: the
     * papers' TransmitFile. It makes as few calls as the system allows; where the system supports that, the header is
     * sent together with the beginning of the file, instead of in a separate packet. The completion has the total
     * number of bytes. If the file ends before the end of the part, the operation succeeds without the trailer.
     *
     * @param file     the file, held open until the completion
     * @param position the position of the first byte in the file
     * @param count    the number of bytes of the file to send
     * @param head     the header; may be null or empty. Belongs to the operation until the completion.
     * @param tail     the trailer; may be null or empty. Belongs to the operation until the completion.
     * @param token    the token of the completion; may be null
     * @return the ticket
     */
    public final long transmitFile(FileHandle file, long position, long count, @Nullable ByteBuffer head,
            @Nullable ByteBuffer tail, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).transmitFile(association(), file, position, count, head, tail);
        return ticket;
    }

    /** {@return a future of the total number of bytes sent; see {@link #transmitFile}} */
    @CheckReturnValue
    public final CompletableFuture<Long> transmitFileFuture(FileHandle file, long position, long count,
            @Nullable ByteBuffer head, @Nullable ByteBuffer tail) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).transmitFile(association(), file, position, count, head, tail);
        return future;
    }

    /**
     * Closes the sending half after the sends started before; the peer then receives the end of the stream.
     *
     * @param token the token of the completion; may be null
     * @return the ticket
     */
    public final long shutdownOutput(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).shutdown(association(), true);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #shutdownOutput(Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Void> shutdownOutputFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).shutdown(association(), true);
        return future;
    }
}

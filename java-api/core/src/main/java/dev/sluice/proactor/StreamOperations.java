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

/** The single operations that a program starts on a stream. Final: otherwise each call would go by a bridge. */
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
     * Detaches the stream from its handler and gives it to another one, as when a protocol is replaced by another on
     * the same connection. From now on the hooks of the new handler are called, with the tokens that the previous one
     * has chosen: for what has been received and not been dispatched, for operations in flight, such as a continuous
     * receive, and for those that are started. Each completion goes to exactly one of the two, in the order in which
     * they come. What was started with a handler of its own, or with a future, stays with that.
     *
     * <p>To be called by a hook for this stream, as the last thing it does with the stream; or while nothing is in
     * flight. If it was given no handler when it was made, there is none to be replaced.
     *
     * @param next the new handler; may be one that has had the stream before
     * @throws IllegalStateException if it was given no handler
     */
    public final void handOver(CompletionHandler next) {
        replaceHandler(Objects.requireNonNull(next, "next"));
    }

    /**
     * Gives the stream to another handler, as {@link #handOver(CompletionHandler)} does, together with bytes that have
     * been received and belong to the new protocol. Before this method returns, and before the new handler gets
     * anything else, it is called with a completion of a continuous receive, not the last one, whose
     * {@linkplain dev.sluice.demultiplexer.Completion#buffer() buffer} holds these bytes. What it throws goes to its
     * own {@link CompletionHandler#handleFailure}.
     *
     * @param next       the new handler
     * @param unconsumed what is left of a buffer that the calling hook has received into, which is copied; its position
     *                   advances to its limit. If nothing is left, only the handler is replaced.
     * @param token      for that completion; so that it looks like the others, that of the continuous receive
     * @throws IllegalStateException if it was given no handler
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
     * Receives what there is, at least one byte, or the end of the stream.
     *
     * @param destination takes the bytes, with room for at least one
     * @param token       for the completion; may be null
     * @return the ticket
     */
    public final long receive(ByteBuffer destination, @Nullable Object token) {
        return transfer(OperationType.RECEIVE, destination, 0, false, token);
    }

    /**
     * {@return completes with the number of bytes, -1 at the end of the stream; see
     * {@link #receive(ByteBuffer, Object)}}
     */
    @CheckReturnValue
    public final CompletableFuture<Long> receiveFuture(ByteBuffer destination) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).receive(association(), destination);
        return future;
    }

    /**
     * Scatters what there is over several buffers.
     *
     * @param destinations filled one after the other, with room for at least one byte; the first 16 with room are used
     * @param offset       the first buffer
     * @param count        the number of buffers
     * @param token        for the completion; may be null
     * @return the ticket
     */
    public final long receive(ByteBuffer[] destinations, int offset, int count, @Nullable Object token) {
        return transfer(OperationType.RECEIVE, destinations, offset, count, 0, false, token);
    }

    /**
     * Receives until the end of the stream, a failure or its cancellation, which is the last completion. Each
     * completion brings its bytes in a {@linkplain dev.sluice.demultiplexer.Completion#buffer() buffer} of the
     * demultiplexer, so a silent connection needs none.
     *
     * @param token for the completion; may be null
     * @return the ticket
     */
    public final long receiveContinuously(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).receiveContinuously(association());
        return ticket;
    }

    // Sending

    /**
     * Sends all bytes, however long the peer takes.
     *
     * @param source the bytes
     * @param token  for the completion; may be null
     * @return the ticket
     */
    public final long send(ByteBuffer source, @Nullable Object token) {
        return transfer(OperationType.SEND, source, 0, true, token);
    }

    /** {@return completes with the number of bytes; see {@link #send(ByteBuffer, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Long> sendFuture(ByteBuffer source) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).send(association(), source, true);
        return future;
    }

    /**
     * Gathers the bytes of several buffers and sends all of them.
     *
     * @param sources sent one after the other
     * @param offset  the first buffer
     * @param count   the number of buffers
     * @param token   for the completion; may be null
     * @return the ticket
     */
    public final long send(ByteBuffer[] sources, int offset, int count, @Nullable Object token) {
        return transfer(OperationType.SEND, sources, offset, count, 0, true, token);
    }

    /** {@return completes with the number of bytes; see {@link #send(ByteBuffer[], int, int, Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Long> sendFuture(ByteBuffer[] sources, int offset, int count) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).send(association(), sources, offset, count, true);
        return future;
    }

    /**
     * Sends as many bytes as there is room for in the socket, at least one. If some are left, what was started behind
     * it fails with {@code EPIPE}: start nothing before its completion.
     *
     * @param source the bytes; its position shows what was sent
     * @param token  for the completion; may be null
     * @return the ticket
     */
    public final long sendSome(ByteBuffer source, @Nullable Object token) {
        return transfer(OperationType.SEND, source, 0, false, token);
    }

    /**
     * Sends a part of a file without its bytes passing through the heap, between a head and a tail, with nothing in
     * between: the papers' TransmitFile. It takes as few calls as the system allows; where the system can, the head
     * leaves together with the beginning of the file, instead of as a packet of its own. The completion counts the
     * bytes of all three; fewer than asked for, and none of the tail, if the file ends sooner, which is no failure.
     *
     * @param file     the file, held open until the completion
     * @param position the position of the first byte in the file
     * @param count    the number of bytes of the file to send
     * @param head     sent before them; may be null or empty. Belongs to the operation until the completion.
     * @param tail     sent after them; may be null or empty. Belongs to the operation until the completion.
     * @param token    for the completion; may be null
     * @return the ticket
     */
    public final long transmitFile(FileHandle file, long position, long count, @Nullable ByteBuffer head,
            @Nullable ByteBuffer tail, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).transmitFile(association(), file, position, count, head, tail);
        return ticket;
    }

    /** {@return completes with the number of bytes sent, of all three together; see {@link #transmitFile}} */
    @CheckReturnValue
    public final CompletableFuture<Long> transmitFileFuture(FileHandle file, long position, long count,
            @Nullable ByteBuffer head, @Nullable ByteBuffer tail) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).transmitFile(association(), file, position, count, head, tail);
        return future;
    }

    /**
     * Closes the sending half once the sends started before it are done; the peer then sees the end of the stream.
     *
     * @param token for the completion; may be null
     * @return the ticket
     */
    public final long shutdownOutput(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).shutdown(association(), true);
        return ticket;
    }

    /** {@return completes when it is done; see {@link #shutdownOutput(Object)}} */
    @CheckReturnValue
    public final CompletableFuture<Void> shutdownOutputFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).shutdown(association(), true);
        return future;
    }
}

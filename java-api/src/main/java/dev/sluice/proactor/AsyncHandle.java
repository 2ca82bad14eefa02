package dev.sluice.proactor;

import dev.sluice.demultiplexer.Association;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * What operations are started with on one handle. May be used by any thread; the handler is called by the loop thread
 * of the proactor, or by one thread at a time if many run it.
 *
 * <p>Starting never fails because of the system: whatever that has to say comes with the completion. It throws
 * {@link IllegalStateException} once the proactor is closed, and what {@link dev.sluice.demultiplexer.Operation} says
 * of wrong arguments. Until the completion, buffers belong to the operation. Each starting method returns a ticket for
 * {@link #cancel(long)}.
 *
 * <p>A future stands for its operation. To cancel the future is to {@linkplain #cancel(long) cancel} that: the future
 * is completed when the operation is, by the thread that dispatches, and not before. So it is cancelled only if the
 * operation has brought nothing; where the cancellation comes too late it is completed normally, and whoever has
 * cancelled it has to look: the bytes are in the buffer, a connection or file is to be used or closed. {@code
 * orTimeout} and {@code completeOnTimeout} cancel the operation, too, and are as patient about the result. What else
 * completes a future, such as {@code complete}, does not concern the operation: it goes on and keeps its buffer, what
 * it receives is told to nobody, and a connection or file that it brings is closed. Futures that depend on one of
 * these, such as those of {@code thenApply}, cancel nothing.
 */
public abstract sealed class AsyncHandle implements Closeable
        permits AsyncStream, AsyncAcceptor, AsyncDatagram, AsyncFile {

    private final Proactor proactor;
    private final CompletionHandler handler;
    private final Association association;
    private volatile Initiation[] initiations = {};
    /**
     * Where to look for a free one first: behind the last that was found, so that long queues are not searched. Any
     * value does, so threads need not agree on it.
     */
    private int hint;

    AsyncHandle(Proactor proactor, Handle handle, CompletionHandler handler) throws IOException {
        this.proactor = proactor;
        this.handler = Objects.requireNonNull(handler, "handler");
        this.association = proactor.demultiplexer().associate(handle);
    }

    final Association association() {
        return association;
    }

    final CompletionHandler handler() {
        return handler;
    }

    /** {@return the proactor that calls the handler} */
    public final Proactor proactor() {
        return proactor;
    }

    /** {@return the handle} */
    public final Handle handle() {
        return association.handle();
    }

    /** {@return one that now belongs to the caller, who starts its operation} */
    final Initiation claim(CompletionHandler target, Object token) {
        Initiation[] known = initiations;
        int first = hint;
        int from = first < known.length ? first : 0;
        for (int i = 0; i < known.length; i++) {
            int index = from + i < known.length ? from + i : from + i - known.length;
            if (known[index].claim(target, token)) {
                hint = index + 1;
                return known[index];
            }
        }
        return claimNew(target, token);
    }

    private synchronized Initiation claimNew(CompletionHandler target, Object token) {
        Initiation[] known = initiations;
        if (known.length == 1 << Initiation.INDEX_BITS) {
            throw new IllegalStateException(known.length + " operations are in flight on " + handle());
        }
        Initiation added = new Initiation(proactor.demultiplexer(), known.length);
        added.claim(target, token);
        Initiation[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = added;
        initiations = more;
        return added;
    }

    /**
     * Asks for the cancellation of one operation. It completes all the same, once. Does nothing if it has completed.
     *
     * @param ticket what starting it returned
     */
    public final void cancel(long ticket) {
        Initiation[] known = initiations;
        int index = Initiation.index(ticket);
        if (index < known.length) {
            known[index].cancel(ticket);
        }
    }

    /** Asks for the cancellation of all operations in flight. They complete all the same, once each. */
    public final void cancel() {
        association.cancel();
    }

    /**
     * Waits until the handle is ready, without doing anything to it.
     *
     * @param events bits of {@link EventType#IO}
     * @param token  for the completion
     * @return the ticket
     */
    public final long poll(int events, Object token) {
        Initiation initiation = claim(handler, token);
        long ticket = initiation.ticket();
        try {
            initiation.operation().poll(association, events);
        } catch (RuntimeException | Error e) {
            initiation.release();
            throw e;
        }
        return ticket;
    }

    /**
     * Closes the handle without making the caller wait for the system; everything else in flight completes as
     * cancelled.
     *
     * @param token for the completion
     * @return the ticket
     */
    public final long close(Object token) {
        return close(handler, token);
    }

    /** {@return completes when the handle is closed, see {@link #close(Object)}} */
    public final CompletableFuture<Void> closeFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor());
        return future.started(this::cancel, close(future, null));
    }

    private long close(CompletionHandler target, Object token) {
        Initiation initiation = claim(target, token);
        long ticket = initiation.ticket();
        try {
            initiation.operation().close(association);
        } catch (RuntimeException | Error e) {
            initiation.release();
            throw e;
        }
        return ticket;
    }

    /** Closes the handle. What is in flight completes as cancelled. */
    @Override
    public final void close() {
        handle().close();
    }

    /** {@return the handle's description} */
    @Override
    public final String toString() {
        return association.toString();
    }
}

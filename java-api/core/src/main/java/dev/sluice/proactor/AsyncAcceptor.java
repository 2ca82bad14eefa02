package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Accepts connections asynchronously. A failure such as {@code EMFILE} leaves the connection in the backlog; starting
 * again at once may fail at once.
 */
public final class AsyncAcceptor extends AsyncHandle {

    private final SocketAcceptor acceptor;

    /**
     * Lets connections be accepted.
     *
     * @param proactor that calls the handler
     * @param acceptor the acceptor of the connections; the caller still owns it
     * @param handler  its {@link CompletionHandler#handleAccept} is called
     * @throws IOException           if the acceptor or the proactor is closed, or the system refuses
     * @throws IllegalStateException if the acceptor belongs to an {@code AsyncAcceptor} of this proactor already
     */
    public AsyncAcceptor(Proactor proactor, SocketAcceptor acceptor, CompletionHandler handler) throws IOException {
        super(proactor, acceptor.handle(), Objects.requireNonNull(handler, "handler"));
        this.acceptor = acceptor;
    }

    /** As {@link #AsyncAcceptor(Proactor, SocketAcceptor, CompletionHandler)}, for completions that go to futures. */
    public AsyncAcceptor(Proactor proactor, SocketAcceptor acceptor) throws IOException {
        super(proactor, acceptor.handle(), null);
        this.acceptor = acceptor;
    }

    /** {@return the acceptor} */
    public SocketAcceptor acceptor() {
        return acceptor;
    }

    /**
     * Accepts one connection.
     *
     * @param token for the completion
     * @return the ticket
     */
    public long accept(Object token) {
        long ticket = claim(token);
        claimed(ticket).accept(association(), acceptor);
        return ticket;
    }

    /** {@return completes with the connection, which the caller owns; see {@link #accept(Object)}} */
    public CompletableFuture<SocketStream> acceptFuture() {
        OperationFuture<SocketStream> future = new OperationFuture<>(proactor(), this::cancel, Completion::stream);
        claimFor(future).accept(association(), acceptor);
        return future;
    }

    /**
     * Accepts connections until it is cancelled or fails, which is the last completion.
     *
     * @param token for the completion
     * @return the ticket
     */
    public long acceptContinuously(Object token) {
        long ticket = claim(token);
        claimed(ticket).acceptContinuously(association(), acceptor);
        return ticket;
    }
}

package dev.sluice.proactor;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Accepts connections asynchronously. A failure such as {@code EMFILE} leaves the connection in the backlog; who starts
 * again at once may fail at once.
 */
public final class AsyncAcceptor extends AsyncHandle {

    private final SocketAcceptor acceptor;

    /**
     * Lets connections be accepted.
     *
     * @param proactor that calls the handler
     * @param acceptor where they come in, which the caller goes on owning
     * @param handler  its {@link CompletionHandler#handleAccept} is called
     * @throws IOException           if the acceptor is closed, or the system refuses
     * @throws IllegalStateException if the acceptor belongs to an {@code AsyncAcceptor} of this proactor already
     */
    public AsyncAcceptor(Proactor proactor, SocketAcceptor acceptor, CompletionHandler handler) throws IOException {
        super(proactor, acceptor.handle(), handler);
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
        return accept(handler(), token);
    }

    /**
     * Accepts one connection.
     *
     * @return completes with the connection, which the caller owns
     */
    public CompletableFuture<SocketStream> acceptFuture() {
        OperationFuture<SocketStream> future = new OperationFuture<>(proactor(), Completion::stream);
        return future.started(this::cancel, accept(future, null));
    }

    private long accept(CompletionHandler target, Object token) {
        Initiation initiation = claim(target, token);
        long ticket = initiation.ticket();
        try {
            initiation.operation().accept(association(), acceptor);
        } catch (RuntimeException | Error e) {
            initiation.release();
            throw e;
        }
        return ticket;
    }

    /**
     * Accepts connections until the cancellation or a failure, which is the last completion.
     *
     * @param token for the completion
     * @return the ticket
     */
    public long acceptContinuously(Object token) {
        return acceptContinuously(handler(), token);
    }

    private long acceptContinuously(CompletionHandler target, Object token) {
        Initiation initiation = claim(target, token);
        long ticket = initiation.ticket();
        try {
            initiation.operation().acceptContinuously(association(), acceptor);
        } catch (RuntimeException | Error e) {
            initiation.release();
            throw e;
        }
        return ticket;
    }
}

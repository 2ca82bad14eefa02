package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Makes connections asynchronously. May be used by any thread; each connection is an operation of its own. */
public final class AsyncConnector {

    private final Proactor proactor;
    private final CompletionHandler handler;

    /**
     * Lets connections be made.
     *
     * @param proactor that calls the handler
     * @param handler  its {@link CompletionHandler#handleConnect} is called
     */
    public AsyncConnector(Proactor proactor, CompletionHandler handler) {
        this.proactor = Objects.requireNonNull(proactor, "proactor");
        this.handler = Objects.requireNonNull(handler, "handler");
    }

    /**
     * Lets connections be made whose completions go to futures, or to a handler that is given with each start.
     *
     * @param proactor that calls the handler
     */
    public AsyncConnector(Proactor proactor) {
        this.proactor = Objects.requireNonNull(proactor, "proactor");
        this.handler = null;
    }

    /**
     * Connects. The completion brings the stream; if the connection is not made in time, the operation fails with a
     * {@link java.net.SocketTimeoutException}.
     *
     * @param address of the peer
     * @param timeout the longest to wait; with a duration of centuries the system decides when to give up
     * @param token   for the completion
     * @return the ticket, for {@link #cancel}
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     * @throws IOException                   if the system has no more descriptors
     */
    public long connect(SocketAddress address, Duration timeout, Object token) throws IOException {
        if (handler == null) {
            throw new IllegalStateException("the connector was given no completion handler: connect with one, or by"
                    + " connectFuture");
        }
        return connect(handler, address, timeout, token);
    }

    /**
     * Like {@link #connect(SocketAddress, Duration, Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     * @return the ticket, for {@link #cancel}
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     * @throws IOException                   if the system has no more descriptors
     */
    public long connect(CompletionHandler target, SocketAddress address, Duration timeout, Object token)
            throws IOException {
        return attempt(Objects.requireNonNull(target, "target"), address, timeout, token);
    }

    /**
     * Connects, see {@link #connect(SocketAddress, Duration, Object)}.
     *
     * @param address of the peer
     * @param timeout the longest to wait
     * @return completes with the connection, which the caller owns; for cancelling it see {@link AsyncHandle}. If the
     *         address is unresolved, or the system has no more descriptors, it has already failed when it is
     *         returned.
     */
    public CompletableFuture<SocketStream> connectFuture(SocketAddress address, Duration timeout) {
        OperationFuture<SocketStream> future = new OperationFuture<>(proactor, Completion::stream);
        try {
            return future.started(this::cancel, attempt(future.handler(), address, timeout, null));
        } catch (IOException e) {
            return OperationFuture.failed(e);
        }
    }

    /**
     * Asks for the cancellation of one attempt to connect, as {@link Proactor#cancel(long)} does, which takes the same
     * tickets. It still completes, once: as cancelled, or with the connection if that has just been made. Does nothing
     * if it has completed already.
     *
     * @param ticket what starting it returned
     */
    public void cancel(long ticket) {
        proactor.cancel(ticket);
    }

    private long attempt(CompletionHandler target, SocketAddress address, Duration timeout, Object token)
            throws IOException {
        PeerAddress peer = PeerAddress.of(address);
        SocketStream stream = SocketConnector.unconnected(address, null);
        try {
            return new ConnectionAttempt(proactor, stream, address, timeout, target).start(peer, token);
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
    }
}

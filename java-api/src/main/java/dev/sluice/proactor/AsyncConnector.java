package dev.sluice.proactor;

import dev.sluice.demultiplexer.Association;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.timer.Timer;
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
     * Connects. The completion brings the stream; if there is no connection in time it has failed with a
     * {@link java.net.SocketTimeoutException}.
     *
     * @param address of the peer
     * @param timeout the longest to wait; a duration of centuries leaves it to the system, which gives up by itself
     * @param token   for the completion
     * @throws java.net.UnknownHostException if the host name does not resolve
     * @throws IOException                   if the system has no more descriptors
     */
    public void connect(SocketAddress address, Duration timeout, Object token) throws IOException {
        connect(handler, address, timeout, token);
    }

    /**
     * Connects, see {@link #connect(SocketAddress, Duration, Object)}.
     *
     * @param address of the peer
     * @param timeout the longest to wait
     * @return completes with the connection, which the caller owns; cancelling it is as for {@link AsyncHandle}
     * @throws java.net.UnknownHostException if the host name does not resolve
     * @throws IOException                   if the system has no more descriptors
     */
    public CompletableFuture<SocketStream> connectFuture(SocketAddress address, Duration timeout) throws IOException {
        OperationFuture<SocketStream> future = new OperationFuture<>(proactor, Completion::stream);
        Attempt attempt = connect(future, address, timeout, null);
        return future.started(attempt::cancel, attempt.ticket());
    }

    private Attempt connect(CompletionHandler target, SocketAddress address, Duration timeout, Object token)
            throws IOException {
        PeerAddress peer = PeerAddress.of(address);
        SocketStream stream = SocketConnector.unconnected(address, null);
        try {
            Attempt attempt = new Attempt(proactor, stream, address, timeout);
            attempt.claim(target, token);
            attempt.start(peer);
            return attempt;
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
    }

    /** One connection in the making. */
    private static final class Attempt extends Initiation {

        private final Proactor proactor;
        private final SocketStream stream;
        private final SocketAddress address;
        private final Duration timeout;
        private final Association association;
        private Timer timer;
        private volatile boolean timedOut;

        Attempt(Proactor proactor, SocketStream stream, SocketAddress address, Duration timeout) throws IOException {
            super(proactor.demultiplexer(), 0);
            this.proactor = proactor;
            this.stream = stream;
            this.address = address;
            this.timeout = timeout;
            this.association = proactor.demultiplexer().associate(stream.handle());
        }

        void start(PeerAddress peer) {
            timer = proactor.schedule(token -> giveUp(), null, timeout);
            try {
                operation().connect(association, peer);
            } catch (RuntimeException | Error e) {
                proactor.cancel(timer);
                throw e;
            }
            if (timedOut) {
                // The timer may have been faster than the start, and have found nothing to cancel.
                operation().cancel();
            }
        }

        private void giveUp() {
            timedOut = true;
            operation().cancel();
        }

        @Override
        void completed(Completion completion) {
            boolean connected = completion.isSuccess();
            if (connected) {
                completion.connected(stream);
            }
            try {
                proactor.cancel(timer);
                // The stream is the handler's, and free to be used with an AsyncStream.
                association.end();
            } finally {
                if (!connected) {
                    stream.close();
                }
            }
            if (timedOut && completion.status() == CompletionStatus.CANCELLED) {
                completion.failed(SocketConnector.timedOut(address, timeout));
            }
        }
    }
}

package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.failure.Failures;
import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to connect. The demultiplexer connects a given socket without a timeout; its completion is converted into
 * the one for the handler.
 */
final class ConnectionAttempt implements CompletionHandler {

    private final Proactor proactor;
    private final SocketStream stream;
    private final SocketAddress address;
    private final Duration timeout;
    private final CompletionHandler handler;
    private final Association association;
    /** The ticket of the operation; not 0 before it is claimed, which would be the first operation of the pool. */
    private volatile long ticket = OperationFuture.NONE;
    private @Nullable Timer timer;
    // Created in advance, because there may be no memory at the end
    private final Runnable release = this::release;
    private final Runnable close;
    private volatile boolean timedOut;

    ConnectionAttempt(Proactor proactor, SocketStream stream, SocketAddress address, Duration timeout,
            CompletionHandler handler) throws IOException {
        this.proactor = proactor;
        this.stream = stream;
        this.address = address;
        this.timeout = timeout;
        this.handler = handler;
        this.close = stream::close;
        this.association = proactor.demultiplexer.associate(stream.handle());
    }

    /** Starts an attempt. Returns the ticket of the proactor. */
    static long begin(Proactor proactor, CompletionHandler handler, @Nullable Object token, SocketAddress address,
            Duration timeout) throws IOException {
        PeerAddress peer = PeerAddress.of(address);
        SocketStream stream = SocketConnector.unconnected(address, null);
        try {
            return new ConnectionAttempt(proactor, stream, address, timeout, handler).start(peer, token);
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
    }

    private long start(PeerAddress peer, @Nullable Object token) {
        Timer limit = proactor.schedule(expired -> expire(), null, timeout);
        timer = limit;
        try {
            ticket = proactor.operations.claim(this, token);
            proactor.operations.claimed(ticket).connect(association, peer);
        } catch (RuntimeException | Error e) {
            limit.cancel();
            throw e;
        }
        if (timedOut) {
            // The timer may have expired before the operation was started, without a ticket to cancel.
            proactor.cancel(ticket);
        }
        return ticket;
    }

    private void expire() {
        timedOut = true;
        proactor.cancel(ticket);
    }

    @Override
    public void handleCompletion(Completion completion) throws Exception {
        Completion shown = settled(completion);
        try {
            handler.handleCompletion(shown);
        } finally {
            shown.closeUnclaimed();
        }
    }

    /**
     * {@return the completion for the handler} Does not throw, because the handler must be notified that the attempt is
     * over.
     */
    private Completion settled(Completion completion) {
        try {
            Completion shown = shown(completion);
            OutOfMemoryRetry.retryUntilAvailable(release);
            if (!shown.isSuccess()) {
                OutOfMemoryRetry.retryUntilAvailable(close);
            }
            return shown;
        } catch (RuntimeException | Error e) {
            return failed(completion, e);
        }
    }

    private Completion failed(Completion completion, Throwable cause) {
        Throwable all = cause;
        try {
            OutOfMemoryRetry.retryUntilAvailable(close);
        } catch (RuntimeException | Error e) {
            all = Failures.and(cause, e);
        }
        return LocalCompletion.failed(completion, new IOException("connect " + address + ": " + cause, all));
    }

    private void release() {
        assert timer != null;
        timer.cancel();
        // The handler owns the stream from now on, and may create an AsyncStream for it.
        association.end();
    }

    private Completion shown(Completion completion) {
        if (completion.isSuccess()) {
            return connected(completion);
        }
        boolean late = timedOut && completion.isCancelled();
        return late ? LocalCompletion.failed(completion, SocketConnector.timedOut(address, timeout)) : completion;
    }

    private Completion connected(Completion completion) {
        try {
            SocketConnector.requirePeer(stream, address);
            return LocalCompletion.connected(completion, stream);
        } catch (IOException e) {
            return LocalCompletion.failed(completion, e);
        }
    }

    @Override
    public void handleFailure(@Nullable Handle handle, Throwable cause) {
        handler.handleFailure(handle, cause);
    }

    /** {@return the string form of the handler, for messages about its exceptions} */
    @Override
    public String toString() {
        return handler.toString();
    }
}

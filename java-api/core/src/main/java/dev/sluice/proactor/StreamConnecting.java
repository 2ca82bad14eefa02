package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketConnector;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The attempt to establish a connection. Accessed by the thread that calls the hooks, unless specified otherwise. */
final class StreamConnecting {

    private final StreamConnection connection;
    private final AsyncStream stream;
    private final Operation operation;
    private final Duration timeout;
    private long ticket;
    private @Nullable Timer timer;
    private boolean timedOut;
    private boolean inFlight = true;

    StreamConnecting(StreamConnection connection, AsyncStream stream, Operation operation, Duration timeout) {
        this.connection = connection;
        this.stream = stream;
        this.operation = operation;
        this.timeout = timeout;
    }

    /**
     * Starts the attempt on the thread that calls the hooks. Called by any thread.
     *
     * @param peer  the address of the peer; null if the attempt has already failed
     * @param cause the failure; null if there is none
     */
    void start(@Nullable PeerAddress peer, @Nullable IOException cause) {
        if (cause == null && connection.isInside()) {
            begin(peer, null);
            return;
        }
        try {
            connection.loop().execute(() -> begin(peer, cause));
        } catch (RejectedExecutionException e) {
            connection.close();
            throw new IllegalStateException("connect: " + stream.proactor() + " is closed; open another loop", e);
        }
    }

    private void begin(@Nullable PeerAddress peer, @Nullable IOException cause) {
        try {
            connection.join();
            if (cause != null) {
                throw cause;
            }
            timer = stream.proactor().schedule(expired -> connection.loop().execute(this::timeOut), null, timeout);
            ticket = operation.claim(connection, null);
            operation.connect(stream.association(), peer);
        } catch (Throwable e) {
            inFlight = false;
            connection.fail(OperationType.CONNECT, e);
        }
        connection.endIfOver();
    }

    private void timeOut() {
        if (inFlight) {
            timedOut = true;
            operation.cancel(ticket);
        }
    }

    /** {@return whether it has not completed} */
    boolean isInFlight() {
        return inFlight;
    }

    /** Called when the connection has ended. */
    void end() {
        if (timer != null) {
            timer.cancel();
        }
    }

    /**
     * {@return whether the connection is established; false if it has been closed}
     *
     * @throws Exception if it cannot be established
     */
    boolean isEstablished(Completion completion) throws Exception {
        inFlight = false;
        end();
        SocketAddress address = stream.remoteAddress();
        IOException error = completion.error();
        assert address != null;
        if (completion.isSuccess() && stream.handle().isOpen()) {
            SocketConnector.requirePeer(stream.socket(), address);
            return true;
        }
        if (timedOut && completion.isCancelled()) {
            throw SocketConnector.timedOut(address, timeout);
        }
        if (completion.isFailure() && error != null) {
            throw error;
        }
        return false;
    }
}

package dev.sluice.connection;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Acceptor-Connector pattern's Service Handler: a service on one connection. It may be used for another connection
 * after the first has been closed; while it is open, another connection is rejected, and closed.
 *
 * <p>Usually a service overrides {@link #received}, and sends by {@link #output()}:
 *
 * <pre>{@code
 * public final class Echo extends ServiceHandler {
 *     protected void received(ByteBuffer bytes) {
 *         output().send(bytes);
 *     }
 * }
 * }</pre>
 *
 * <p>A thread of its {@link #dispatcher()} registers it, calls {@link #open()}, and after that has returned the other
 * hooks, sequentially on any dispatcher; the effects of each hook are visible to the next. {@link #closed()} is the
 * last one. So a service whose state only its hooks access needs no lock. If there is a loop thread, the same applies
 * to timers and tasks. If several threads dispatch, as on a multi-threaded {@link dev.sluice.reactor.Reactor} or in a
 * Leader/Followers pool, timers and tasks of the dispatcher may run concurrently with the hooks; tasks that are passed
 * to {@link #loop()} do not.
 */
public abstract class ServiceHandler implements EventHandler, Connection {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceHandler.class);

    /** Maximum number of consecutive receives, for fairness to other handlers. */
    private static final int RECEIVE_BUDGET = 16;

    /** The connection; null before the first one, and after it was handed over. */
    private volatile @Nullable ServiceConnection connection;

    /** Creates a service handler without a connection, which it has from {@link #open()} on. */
    protected ServiceHandler() {
    }

    /**
     * Registers the connection, before {@link #open()} is called. By default, registers it with {@link #dispatcher()},
     * for {@link Interest#READ}.
     *
     * @return the registration; null for a service that does not use a dispatcher: it must close the {@link #peer()}
     *         itself, and is not among the acceptor's {@link #connections()}
     * @throws IOException if the connection cannot be registered; it is closed then, and the service does not begin
     */
    protected @Nullable Registration register() throws IOException {
        return connected(dispatcher()).register(handle(), Interest.READ, this);
    }

    /**
     * Called when the connection is established. By default, does nothing. After it has returned, hooks are called for
     * the interest of the {@link #registration()}, which is {@link Interest#READ} unless this method changes it.
     *
     * <p>If it throws, the effect is the same as for any other hook: {@link #handleFailure} is called, and the
     * connection and its registration are closed, so {@link #handleClose} is called.
     *
     * @throws Exception if the service cannot begin
     */
    protected void open() throws Exception {
        // By default, the service needs no initialization.
    }

    /**
     * Called when bytes have been received. Must be overridden, unless {@link #handleInput} is.
     *
     * @param bytes the bytes, from position to limit, in a buffer of the loop, which must not be used after this method
     *              returns
     * @throws Exception if it fails; the connection is closed
     */
    protected void received(ByteBuffer bytes) throws Exception {
        throw new UnsupportedOperationException("bytes have come, but " + getClass().getName()
                + " overrides neither received nor handleInput; override one of them: " + this);
    }

    /**
     * Called when the peer has ended its output, so no more bytes will be received. By default, closes the connection
     * when all data has been sent. Not called if the output has already been shut down: the connection is closed then.
     *
     * @throws Exception if it fails; the connection is closed
     */
    protected void ended() throws Exception {
        connected(connection).output.closeByDefault();
    }

    /**
     * Called when the loop {@linkplain dev.sluice.eventloop.EventLoop#stop(java.time.Duration) stops in order}, to make
     * the service end. Unless the program has paused the input, bytes that had arrived before have been received. By
     * default, closes the connection when all data has been sent.
     *
     * @throws Exception if it fails; the connection is closed
     */
    protected void finish() throws Exception {
        connected(connection).output.closeByDefault();
    }

    /**
     * Called when the {@linkplain Registration#idleTimeout idle timeout} has elapsed. By default, closes the
     * connection.
     *
     * @param direction the idle direction, as for {@link #handleIdle}
     * @throws Exception if it fails; the connection is closed
     */
    protected void idle(Interest direction) throws Exception {
        connected(registration()).close();
    }

    /**
     * Called by {@link Connector} instead of {@link #open()} when the attempt to connect has failed. By default, calls
     * {@link #handleFailure} without a registration. Its exceptions are logged.
     *
     * @param cause the reason, such as a refusal, a {@link java.net.SocketTimeoutException}, or a
     *              {@link java.util.concurrent.CancellationException} if the attempt was cancelled
     */
    protected void connectFailed(Throwable cause) {
        handleFailure(null, cause);
    }

    /**
     * Called once, as the last hook, when the connection has ended or could not be established.
     * {@link OutputQueue#endCause()} returns the cause.
     *
     * @throws Exception if it fails, which is logged
     */
    protected void closed() throws Exception {
        // By default, the service has no resources.
    }

    /**
     * Receives the available bytes, and calls {@link #received}. Override this method instead of {@link #received} to
     * receive from {@link #peer()} directly.
     */
    @Override
    public void handleInput(Registration ready) throws Exception {
        ServiceConnection current = connected(connection);
        LoopBuffers buffers = LoopBuffers.ofThread();
        ByteBuffer buffer = buffers.takeReceiveBuffer(current.receiveBufferSize);
        try {
            int count;
            int calls = 0;
            do {
                count = connected(current.peer).receive(buffer.clear());
                if (count <= 0) {
                    break;
                }
                current.receivedBytes += count;
                if (!current.output.discardsInput()) {
                    received(buffer.flip());
                }
                // A receive that has not filled the buffer has drained the socket, so another call would return
                // nothing.
            } while (count == buffer.capacity() && ++calls < RECEIVE_BUDGET
                    && connection == current && current.entry().receivesInput());
            current.filled = count == buffer.capacity();
            if (count < 0) {
                inputEnded(current);
            }
        } finally {
            buffers.putReceiveBuffer(buffer);
        }
    }

    private void inputEnded(ServiceConnection current) throws Exception {
        current.output.inputEnded();
        if (current.entry().isOpen()) {
            // Without this, the end of the stream would be reported repeatedly.
            current.entry().holdInput();
            if (!current.output.discardsInput()) {
                ended();
            }
        }
    }

    /** Sends queued data. A handler that overrides this method must call it as well. */
    @Override
    public void handleOutput(Registration ready) throws Exception {
        connected(connection).output.handleOutput();
    }

    @Override
    public void handleIdle(Registration quiet, Interest direction) throws Exception {
        idle(direction);
    }

    /**
     * Called when a hook or the connection has failed. By default, logs the failure: an {@link IOException} at debug
     * level, because broken connections are frequent, an {@link Error} as an error, and other exceptions as a warning.
     *
     * @param failed the registration; null if the connection could not be established
     * @param cause  the exception or error
     */
    @Override
    public void handleFailure(@Nullable Registration failed, Throwable cause) {
        if (cause instanceof IOException || cause instanceof CancellationException) {
            LOG.debug("{}", this, cause);
        } else {
            HookFailure.log(LOG, this, null, cause);
        }
    }

    // The connection

    /** {@return the socket of the connection; null before {@link #open()} and after {@link #handOver}} */
    public final @Nullable SocketStream peer() {
        ServiceConnection current = connection;
        return current == null ? null : current.peer;
    }

    /** {@return the registration of the connection; null before {@link #open()} and after {@link #handOver}} */
    public final @Nullable Registration registration() {
        ServiceConnection current = connection;
        return current == null ? null : current.entry;
    }

    /** {@return the dispatcher of the connection; null before {@link #open()} or {@link #connectFailed}} */
    public final @Nullable Dispatcher dispatcher() {
        ServiceConnection current = connection;
        return current == null ? null : current.dispatcher;
    }

    /**
     * {@return the registry of the acceptor that has accepted this connection}
     *
     * @throws IllegalStateException if it was not accepted by an acceptor
     */
    public final Connections connections() {
        ServiceConnection current = connection;
        if (current == null || current.registry == null) {
            throw new IllegalStateException("connections: no acceptor has accepted " + this);
        }
        return current.registry;
    }

    /**
     * {@return the handle of the connection}
     *
     * @throws IllegalStateException before {@link #open()}
     */
    public final Handle handle() {
        return connected(peer()).handle();
    }

    /** {@inheritDoc} Available from {@link #open()} or {@link Connector#connect} on. */
    @Override
    public final OutputQueue output() {
        return connected(connection).output;
    }

    private <T> T connected(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException(
                    getClass().getName() + " is not connected: the connection is available from open() on");
        }
        return part;
    }

    @Override
    public final @Nullable SocketAddress remoteAddress() {
        ServiceConnection current = connection;
        return current == null ? null : current.remoteAddress();
    }

    @Override
    public final long receivedBytes() {
        ServiceConnection current = connection;
        return current == null ? 0 : current.receivedBytes;
    }

    @Override
    public final long sentBytes() {
        ServiceConnection current = connection;
        return current == null ? 0 : current.output.sentBytes();
    }

    @Override
    public final long openedNanos() {
        ServiceConnection current = connection;
        return current == null ? 0 : current.openedNanos;
    }

    @Override
    public final boolean isConnected() {
        ServiceConnection current = connection;
        return current != null && current.isOpen();
    }

    @Override
    public final void closeWhenSent() {
        output().closeWhenSent();
    }

    /** {@inheritDoc} Cancels an attempt to connect that is in progress. */
    @Override
    public final void close() {
        ServiceConnection current = connection;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public final Executor loop() {
        return connected(connection).output.loop();
    }

    /** Called by {@link Connector} when an attempt to connect begins. */
    final void connecting(Dispatcher owner, SocketAddress address, Runnable cancel) {
        requireFree();
        ServiceConnection next = new ServiceConnection(this, owner);
        next.connecting(address, cancel);
        connection = next;
    }

    final void notConnecting() {
        connection = null;
    }

    /** Checks that there is no connection. With two, events of one would be handled on the other. */
    private void requireFree() {
        ServiceConnection current = connection;
        if (current != null && (current.isOpen() || current.isConnecting())) {
            throw new IllegalStateException("one service handler per connection: let the factory create one; " + this
                    + " is already connected to " + (current.peer == null ? current.remoteAddress() : current.peer));
        }
    }

    /**
     * Called when the connection is established. If this throws, the service has not begun, and the caller still owns
     * the stream. If it was accepted, a place is reserved for it.
     */
    final void activate(SocketStream stream, Dispatcher owner, @Nullable Connections acceptedBy) {
        ServiceConnection current = connection;
        if (current == null || !current.isConnecting()) {
            requireFree();
            current = new ServiceConnection(this, owner);
            connection = current;
        }
        current.activate(stream, owner, acceptedBy);
    }

    final void notifyConnectFailed(Throwable cause) {
        connected(connection).notifyConnectFailed(cause);
    }

    /**
     * Hands the connection over to another service handler, for example when the protocol changes: it takes over the
     * registration with its interest, and the output, and its {@link #open()} is called. From then on its hooks are
     * called for the connection. This handler has no connection any more, and is not notified of its end. It must pass
     * received data to the other handler before. Called by {@link #open()} and the hooks of this connection, as their
     * last action; if there is a loop thread, by that thread at any time.
     *
     * @param next the other handler, which has no open connection
     * @throws IllegalArgumentException as {@link Registration#handOver}
     * @throws IllegalStateException    if this handler is no longer registered, the other one has an open connection,
     *                                  or there is a loop thread, and the caller is another thread
     */
    protected final void handOver(ServiceHandler next) {
        ServiceConnection current = connection;
        if (current == null || current.peer == null || current.entry == null) {
            throw new IllegalStateException(this + " has no connection to hand over");
        }
        next.requireFree();
        // Set before another thread may call its hooks.
        next.connection = current;
        IOException refusal = null;
        boolean given = false;
        try {
            current.entry().handOver(next);
            given = true;
        } catch (IOException e) {
            refusal = e;
            given = true;
        } finally {
            if (!given) {
                next.connection = null;
            }
        }
        connection = null;
        current.handedOver(next, refusal);
    }
}

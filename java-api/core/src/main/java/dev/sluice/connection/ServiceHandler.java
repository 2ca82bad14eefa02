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
 * The Acceptor-Connector pattern's Service Handler: a service on one connection. It may be given another one when that
 * is closed; while it is open, another connection is refused, and closed.
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
 * <p>A thread of its {@link #dispatcher()} registers it, calls {@link #open()}, and then the other hooks, one after the
 * other, whatever the dispatcher: only when {@link #open()} has returned, and each sees what the previous ones have
 * written. {@link #closed()} is the last one. So a service that is used by its hooks alone needs no lock. Where there
 * is a loop thread that is true of everything else as well. Where several threads dispatch, as on a shared
 * {@link dev.sluice.reactor.Reactor} or in a Leader/Followers pool, timers, tasks of the dispatcher, and whatever other
 * threads do with the service run at the same time as the hooks; tasks that are given to {@link #loop()} do not.
 */
public abstract class ServiceHandler implements EventHandler, Connection {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceHandler.class);

    /** Buffers received in a row before other handlers get their turn. */
    private static final int RECEIVE_BUDGET = 16;

    /** Null before the first one, and after it was handed over. */
    private volatile @Nullable ServiceConnection connection;

    /** For subclasses; there is a connection only once {@link #open()} is called. */
    protected ServiceHandler() {
    }

    /**
     * Registers the connection, before {@link #open()} is called. Unless overridden, it does so with
     * {@link #dispatcher()}, for {@link Interest#READ}.
     *
     * @return the registration; null for a service that waits for its connection in another way: it closes the
     *         {@link #peer()} itself, and is none of the acceptor's {@link #connections()}
     * @throws IOException if the connection cannot be registered; it is closed then, and the service does not begin
     */
    protected @Nullable Registration register() throws IOException {
        return connected(dispatcher()).register(handle(), Interest.READ, this);
    }

    /**
     * The connection is established: the service begins. Unless overridden, this does nothing. From when this has
     * returned the hooks are called for the interest of the {@link #registration()}, which is {@link Interest#READ}
     * unless this method changes it.
     *
     * <p>If it throws, the effect is the same as for any other hook: {@link #handleFailure} is called, the connection
     * is closed, and with that the registration, so {@link #handleClose} is called.
     *
     * @throws Exception if it cannot
     */
    protected void open() throws Exception {
        // The connection is registered.
    }

    /**
     * Bytes have been received. Must be overridden, unless {@link #handleInput} is.
     *
     * @param bytes the bytes, from position to limit, in a buffer of the loop: to be used, copied or sent before this
     *              returns
     * @throws Exception if it fails; the connection is closed
     */
    protected void received(ByteBuffer bytes) throws Exception {
        throw new UnsupportedOperationException("bytes have come, but " + getClass().getName()
                + " overrides neither received nor handleInput; override one of them: " + this);
    }

    /**
     * The peer has ended its output: no more bytes come. Unless overridden, closes the connection when all is sent. A
     * connection whose output has been shut down, too, is closed instead.
     *
     * @throws Exception if it fails; the connection is closed
     */
    protected void ended() throws Exception {
        connected(connection).output.closeByDefault();
    }

    /**
     * The loop {@linkplain dev.sluice.eventloop.EventLoop#stop(java.time.Duration) stops in order}: the connection is
     * to come to its end. Unless the program has paused its input, what had come before has been received. Unless
     * overridden, closes it when all is sent.
     *
     * @throws Exception if it fails; the connection is closed
     */
    protected void finish() throws Exception {
        connected(connection).output.closeByDefault();
    }

    /**
     * Nothing has been received or sent for as long as {@link Registration#idleTimeout} says. Unless overridden, closes
     * the connection.
     *
     * @param direction what has not happened, as for {@link #handleIdle}
     * @throws Exception if it fails; the connection is closed
     */
    protected void idle(Interest direction) throws Exception {
        connected(registration()).close();
    }

    /**
     * There is no connection: {@link Connector} calls this instead of {@link #open()}. By default it calls
     * {@link #handleFailure} without a registration. What it throws is logged.
     *
     * @param cause why, such as a refusal, a {@link java.net.SocketTimeoutException}, or a
     *              {@link java.util.concurrent.CancellationException} if the attempt was cancelled
     */
    protected void connectFailed(Throwable cause) {
        handleFailure(null, cause);
    }

    /**
     * The connection has ended, or could not be established: the last hook, which is called once. Why is said by
     * {@link OutputQueue#endCause()}.
     *
     * @throws Exception if it fails, which is logged
     */
    protected void closed() throws Exception {
        // Nothing is to be released.
    }

    /**
     * Receives what there is, and calls {@link #received} with it. Override it instead of {@link #received} to receive
     * in another way, from {@link #peer()}.
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
                // A buffer that was not filled has emptied the socket; another look would cost a call for nothing.
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
            // It would be reported again and again.
            current.entry().holdInput();
            if (!current.output.discardsInput()) {
                ended();
            }
        }
    }

    /** Sends what waits. A handler that overrides it, to send in another way, calls this as well. */
    @Override
    public void handleOutput(Registration ready) throws Exception {
        connected(connection).output.handleOutput();
    }

    @Override
    public void handleIdle(Registration quiet, Interest direction) throws Exception {
        idle(direction);
    }

    /**
     * A hook has failed, or the connection. Unless overridden, logs it: an {@link IOException} for debugging, since
     * peers break connections often, anything else as a warning, or as an error if it is one.
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

    /** {@return the connection, null before {@link #open()} and after {@link #handOver}} */
    public final @Nullable SocketStream peer() {
        ServiceConnection current = connection;
        return current == null ? null : current.peer;
    }

    /** {@return the registration of the connection, null before {@link #open()} and after {@link #handOver}} */
    public final @Nullable Registration registration() {
        ServiceConnection current = connection;
        return current == null ? null : current.entry;
    }

    /** {@return where this handler is registered; null before {@link #open()} or {@link #connectFailed}} */
    public final @Nullable Dispatcher dispatcher() {
        ServiceConnection current = connection;
        return current == null ? null : current.dispatcher;
    }

    /**
     * {@return the connections of the acceptor that has accepted this one}
     *
     * @throws IllegalStateException if none has
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

    /** {@inheritDoc} While an attempt to connect is in progress, cancels that. */
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

    /** {@link Connector} begins to connect. */
    final void connecting(Dispatcher owner, SocketAddress address, Runnable cancel) {
        requireFree();
        ServiceConnection next = new ServiceConnection(this, owner);
        next.connecting(address, cancel);
        connection = next;
    }

    final void notConnecting() {
        connection = null;
    }

    /** With two connections it would read from one of them what is ready on the other. */
    private void requireFree() {
        ServiceConnection current = connection;
        if (current != null && (current.isOpen() || current.isConnecting())) {
            throw new IllegalStateException("one service handler per connection: let the factory create one; " + this
                    + " is already connected to " + (current.peer == null ? current.remoteAddress() : current.peer));
        }
    }

    /**
     * The connection is established. If this throws, the service has not begun, and it is still the caller's. The
     * acceptor has a place for it, if it was accepted.
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
     * Gives the connection to another service handler, as when a protocol is replaced by another: the other one takes
     * over the registration with its interest and the output, and its {@link #open()} is called. From then on all hooks
     * for the connection are the other one's. This one has no connection any more, and is not called for its end. What
     * has been received and belongs to the other one, it must be given before. For {@link #open()} and the hooks of
     * this connection, as the last thing that they do; where there is a loop thread, for that thread at any time.
     *
     * @param next has no connection yet, or one that is closed
     * @throws IllegalArgumentException as {@link Registration#handOver}
     * @throws IllegalStateException    if this one is not registered any more, the next one has a connection that is
     *                                  open, or there is a loop thread and it is not the caller
     */
    protected final void handOver(ServiceHandler next) {
        ServiceConnection current = connection;
        if (current == null || current.peer == null || current.entry == null) {
            throw new IllegalStateException(this + " has no connection to hand over");
        }
        next.requireFree();
        // Before another thread may call its hooks.
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

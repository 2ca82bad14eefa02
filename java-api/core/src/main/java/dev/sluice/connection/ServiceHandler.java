package dev.sluice.connection;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.HandlerEntry;
import dev.sluice.failure.Failures;
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

    private @Nullable SocketStream peer;
    private @Nullable Dispatcher dispatcher;
    private int receiveBufferSize;
    private volatile @Nullable HandlerEntry registration;
    private volatile @Nullable ReadinessOutput output;
    private @Nullable ServiceMember member;
    /** The attempt to connect; null if there is none in progress. */
    private volatile @Nullable Runnable cancellation;
    /** Whether the program has closed the connection, perhaps while it was being established. */
    private volatile boolean closeRequested;
    private volatile @Nullable SocketAddress remoteAddress;
    private long openedNanos;
    private long receivedBytes;
    /** Whether the last receive has filled its buffer, so that there may be more. */
    private boolean filled;
    private boolean opening;
    private boolean endedWhileOpening;
    /** Whether {@link #closed()} has been called for the connection. */
    private boolean closed;

    /** For subclasses; there is a connection only once {@link #open()} is called. */
    protected ServiceHandler() {
    }

    // Hooks

    /**
     * Registers the connection, before {@link #open()} is called. Unless overridden, it does so with
     * {@link #dispatcher()}, for {@link Interest#READ}.
     *
     * @return the registration; null for a service that waits for its connection in another way
     * @throws IOException if the connection cannot be registered; it is closed then, and the service does not begin
     */
    protected @Nullable Registration register() throws IOException {
        return connected(dispatcher).register(handle(), Interest.READ, this);
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
        connected(output).closeByDefault();
    }

    /**
     * The loop {@linkplain dev.sluice.eventloop.EventLoop#stop(java.time.Duration) stops in order}: the connection is
     * to come to its end. Unless the program has paused its input, what had come before has been received. Unless
     * overridden, closes it when all is sent.
     *
     * @throws Exception if it fails; the connection is closed
     */
    protected void finish() throws Exception {
        connected(output).closeByDefault();
    }

    /**
     * Nothing has been received or sent for as long as {@link Registration#idleTimeout} says. Unless overridden, closes
     * the connection.
     *
     * @param direction what has not happened, as for {@link #handleIdle}
     * @throws Exception if it fails; the connection is closed
     */
    protected void idle(Interest direction) throws Exception {
        connected(registration).close();
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

    // Events

    /**
     * Receives what there is, and calls {@link #received} with it. Override it instead of {@link #received} to receive
     * in another way, from {@link #peer()}.
     */
    @Override
    public void handleInput(Registration ready) throws Exception {
        LoopBuffers buffers = LoopBuffers.ofThread();
        ByteBuffer buffer = buffers.takeReceiveBuffer(receiveBufferSize);
        try {
            int count;
            int calls = 0;
            do {
                count = connected(peer).receive(buffer.clear());
                if (count <= 0) {
                    break;
                }
                receivedBytes += count;
                if (!connected(output).discardsInput()) {
                    received(buffer.flip());
                }
                // A buffer that was not filled has emptied the socket; another look would cost a call for nothing.
            } while (count == buffer.capacity() && ++calls < RECEIVE_BUDGET && receives(ready));
            filled = count == buffer.capacity();
            if (count < 0) {
                inputEnded();
            }
        } finally {
            buffers.putReceiveBuffer(buffer);
        }
    }

    /** {@return whether the connection is still this handler's, and its input is not paused} */
    private boolean receives(Registration ready) {
        HandlerEntry current = registration;
        return current == ready && current != null && current.receivesInput();
    }

    /**
     * Receives what has come, before the connection is to finish.
     *
     * @return false if there may be more, which is left since a queue pauses the input, or other connections get their
     *         turn; true also if the program does not receive now
     */
    final boolean receiveRest() throws Exception {
        HandlerEntry current = connected(registration);
        ReadinessOutput queue = connected(output);
        if (queue.discardsInput() || queue.hasInputEnded() || current.isPaused()
                || !current.interest().contains(Interest.READ)) {
            return true;
        }
        if (!current.receivesInput()) {
            return false;
        }
        filled = false;
        handleInput(current);
        return registration == current && (!filled || current.isPaused());
    }

    private void inputEnded() throws Exception {
        HandlerEntry current = connected(registration);
        ReadinessOutput queue = connected(output);
        queue.inputEnded();
        if (current.isOpen()) {
            // It would be reported again and again.
            current.holdInput();
            if (!queue.discardsInput()) {
                ended();
            }
        }
    }

    /** Sends what waits. A handler that overrides it, to send in another way, calls this as well. */
    @Override
    public void handleOutput(Registration ready) throws Exception {
        connected(output).handleOutput();
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
     * @param cause  what was thrown
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
        return peer;
    }

    /** {@return the registration of the connection, null before {@link #open()} and after {@link #handOver}} */
    public final @Nullable Registration registration() {
        return registration;
    }

    /** {@return where this handler is registered; null before {@link #open()} or {@link #connectFailed}} */
    public final @Nullable Dispatcher dispatcher() {
        return dispatcher;
    }

    /**
     * {@return the connections of the acceptor that has accepted this one}
     *
     * @throws IllegalStateException if none has
     */
    public final Connections connections() {
        if (member == null || member.registry() == null) {
            throw new IllegalStateException("connections: no acceptor has accepted " + this);
        }
        return member.registry();
    }

    /**
     * {@return the handle of the connection}
     *
     * @throws IllegalStateException before {@link #open()}
     */
    public final Handle handle() {
        return connected(peer).handle();
    }

    /** {@inheritDoc} Available from {@link #open()} or {@link Connector#connect} on. */
    @Override
    public final OutputQueue output() {
        return connected(output);
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
        SocketAddress known = remoteAddress;
        if (known == null && peer != null) {
            try {
                known = peer.remoteAddress();
                remoteAddress = known;
            } catch (IOException e) {
                LOG.debug("the peer has gone", e);
            }
        }
        return known;
    }

    @Override
    public final long receivedBytes() {
        return receivedBytes;
    }

    @Override
    public final long sentBytes() {
        return output == null ? 0 : output.sentBytes();
    }

    @Override
    public final long openedNanos() {
        return openedNanos;
    }

    @Override
    public final boolean isConnected() {
        HandlerEntry current = registration;
        return current != null && current.isOpen();
    }

    @Override
    public final void closeWhenSent() {
        output().closeWhenSent();
    }

    /** {@inheritDoc} While an attempt to connect is in progress, cancels that. */
    @Override
    public final void close() {
        ReadinessOutput current = output;
        if (current != null) {
            current.closing();
        }
        closeRequested = true;
        HandlerEntry registered = registration;
        Runnable attempt = cancellation;
        if (registered != null) {
            registered.close();
        } else if (attempt != null) {
            attempt.run();
        }
    }

    @Override
    public final Executor loop() {
        return connected(output).loop();
    }

    // The beginning

    /** {@link Connector} begins to connect. */
    final void connecting(Dispatcher owner, SocketAddress address, Runnable cancel) {
        requireFree();
        begin(owner);
        remoteAddress = address;
        cancellation = cancel;
    }

    /** There is no attempt after all. */
    final void notConnecting() {
        cancellation = null;
        output = null;
    }

    private void begin(Dispatcher owner) {
        peer = null;
        registration = null;
        member = null;
        remoteAddress = null;
        receivedBytes = 0;
        openedNanos = 0;
        closed = false;
        closeRequested = false;
        dispatcher = owner;
        receiveBufferSize = owner.receiveBufferSize();
        output = new ReadinessOutput(this, owner);
    }

    /** With two connections it would read from one of them what is ready on the other. */
    private void requireFree() {
        if (isConnected() || cancellation != null) {
            throw new IllegalStateException("one service handler per connection: let the factory create one; " + this
                    + " is already connected to " + (peer == null ? remoteAddress : peer));
        }
    }

    /**
     * The connection is established. If this throws, the service has not begun, and the connection is still the
     * caller's.
     *
     * @param acceptedBy where the acceptor has a place for it; null if it was not accepted
     */
    final void activate(SocketStream connection, Dispatcher owner, @Nullable Connections acceptedBy) {
        if (cancellation == null) {
            requireFree();
            begin(owner);
        }
        cancellation = null;
        peer = connection;
        openedNanos = System.nanoTime();
        Opening established = new Opening(acceptedBy);
        boolean begun = false;
        try {
            owner.callFirst(connection.handle(), established);
            begun = established.refusal == null;
        } finally {
            if (!begun) {
                peer = null;
            }
        }
        Failures.throwFirst(established.refusal);
    }

    /** Registers it, and opens it before any other hook of the handle is called. */
    private final class Opening implements Runnable {

        private final @Nullable Connections acceptedBy;
        private @Nullable Throwable refusal;

        Opening(@Nullable Connections acceptedBy) {
            this.acceptedBy = acceptedBy;
        }

        @Override
        public void run() {
            // What is sent first may fail, and end the connection at once: closed() is for after open() nevertheless.
            opening = true;
            try {
                if (register() instanceof HandlerEntry entry) {
                    join(entry, acceptedBy);
                }
            } catch (IOException | RuntimeException | Error e) {
                opening = false;
                endedWhileOpening = false;
                refusal = e;
                return;
            }
            if (closeRequested) {
                try {
                    connected(peer).close();
                } finally {
                    endOpening();
                }
            } else {
                tryToOpen();
            }
        }
    }

    private void join(HandlerEntry entry, @Nullable Connections acceptedBy) {
        ReadinessOutput queue = connected(output);
        ServiceMember joining = new ServiceMember(this, entry, queue, acceptedBy);
        registration = entry;
        member = joining;
        joining.join();
        queue.begin(connected(peer), entry);
    }

    private void tryToOpen() {
        // They may be those of another one when it has failed.
        SocketStream connection = connected(peer);
        Registration current = registration;
        opening = true;
        try {
            open();
        } catch (Throwable e) {
            failedToOpen(connection, current, e);
        } finally {
            endOpening();
        }
    }

    private void endOpening() {
        opening = false;
        if (endedWhileOpening) {
            endedWhileOpening = false;
            notifyClosed();
        }
    }

    private void failedToOpen(SocketStream connection, @Nullable Registration current, Throwable cause) {
        try {
            handleFailure(current, cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(this, cause, e);
        }
        try {
            connection.close();
        } catch (Throwable e) {
            HookFailure.logUndelivered(this, cause, e);
        }
    }

    final void notifyConnectFailed(Dispatcher owner, Throwable cause) {
        boolean open = isConnected();
        if (!open) {
            dispatcher = owner;
        }
        cancellation = null;
        // The hook may begin another attempt, with another queue.
        ReadinessOutput failed = output;
        // Without an object for the call: there may be no memory.
        try {
            connectFailed(cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(this, cause, e);
        }
        if (!open) {
            endUnconnected(failed, cause);
        }
    }

    private void endUnconnected(@Nullable ReadinessOutput failed, Throwable cause) {
        try {
            if (failed != null) {
                failed.ended(cause);
            }
        } finally {
            if (output == failed) {
                notifyClosed();
            } else {
                // For the attempt that has failed; that of the next one is still to come.
                callClosed();
            }
        }
    }

    // The end

    /** The registration has ended. */
    final void connectionEnded() {
        if (opening) {
            endedWhileOpening = true;
        } else {
            notifyClosed();
        }
    }

    private void notifyClosed() {
        if (closed) {
            return;
        }
        closed = true;
        callClosed();
    }

    private void callClosed() {
        try {
            closed();
        } catch (Throwable e) {
            HookFailure.log(LOG, this, null, e);
        }
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
        SocketStream connection = peer;
        HandlerEntry current = registration;
        if (connection == null || current == null) {
            throw new IllegalStateException(this + " has no connection to hand over");
        }
        next.requireFree();
        // Before another thread may call its hooks.
        next.take(this);
        Throwable refusal = null;
        try {
            current.handOver(next);
        } catch (IOException e) {
            refusal = e;
        } catch (IllegalArgumentException | IllegalStateException e) {
            next.forget();
            throw e;
        }
        connected(output).handOver(next);
        connected(member).handOver(next);
        forget();
        if (refusal == null) {
            next.tryToOpen();
        } else {
            next.failedToOpen(connection, current, refusal);
        }
    }

    private void take(ServiceHandler from) {
        peer = from.peer;
        dispatcher = from.dispatcher;
        receiveBufferSize = from.receiveBufferSize;
        registration = from.registration;
        output = from.output;
        member = from.member;
        remoteAddress = from.remoteAddress;
        openedNanos = from.openedNanos;
        receivedBytes = from.receivedBytes;
    }

    private void forget() {
        peer = null;
        dispatcher = null;
        registration = null;
        output = null;
        member = null;
    }
}

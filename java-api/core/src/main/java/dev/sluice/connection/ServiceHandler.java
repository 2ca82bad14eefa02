package dev.sluice.connection;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.failure.Failures;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.IOException;

/**
 * The Acceptor-Connector pattern's Service Handler: a service on one connection. It may be given another one when that
 * is closed; while it is open, another connection is refused, and closed.
 *
 * <p>A thread of its {@link #dispatcher()} registers it, calls {@link #open()}, and then the hooks for the events of
 * the connection, one after the other, whatever the dispatcher: only when {@link #open()} has returned, and each sees
 * what the previous ones have written. So a service that is used by these hooks alone needs no lock. Where there is a
 * loop thread that is true of everything else as well. Where several threads dispatch, as on a shared
 * {@link dev.sluice.reactor.Reactor} or in a Leader/Followers pool, {@link #handleTimeout}, tasks, and whatever other
 * threads do with the service run at the same time as these hooks, the timers that {@link #open()} schedules even
 * before it has returned, and one that was expiring when it was cancelled after {@link #handleClose}. What they share
 * with the hooks needs a lock; often it is enough that they leave a mark and change the interest of the
 * {@link #registration()}, which is safe at any time: one that has ended is left alone.
 */
public abstract class ServiceHandler implements EventHandler {

    private SocketStream peer;
    private Dispatcher dispatcher;
    private Registration registration;

    /** For subclasses; there is a connection only once {@link #open()} is called. */
    protected ServiceHandler() {
    }

    /**
     * Registers the connection, before {@link #open()} is called. Unless overridden, it does so with
     * {@link #dispatcher()}, for {@link Interest#READ}.
     *
     * @return the registration; null for a service that waits for its connection in another way
     * @throws IOException if the connection cannot be registered; it is closed then, and the service does not begin
     */
    protected Registration register() throws IOException {
        return dispatcher.register(handle(), Interest.READ, this);
    }

    /**
     * The connection is established: the service begins; unless overridden, this does nothing. From when this has
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
     * Gives the connection to another service handler, as when a protocol is replaced by another: the other one takes
     * over the registration with its interest, and its {@link #open()} is called. From then on all hooks for the
     * connection are the other one's. This one has no connection any more, and is not called for its end. What has been
     * received and belongs to the other one, it must be given before. For {@link #open()} and the hooks of this
     * connection, as the last thing that they do; where there is a loop thread, for that thread at any time.
     *
     * @param next has no connection yet, or one that is closed
     * @throws IllegalArgumentException as {@link Registration#handOver}
     * @throws IllegalStateException    if this one is not registered any more, the next one has a connection that is
     *                                  open, or there is a loop thread and it is not the caller
     */
    protected final void handOver(ServiceHandler next) {
        SocketStream connection = peer;
        Registration current = registration;
        if (connection == null || current == null) {
            throw new IllegalStateException(this + " has no connection to hand over");
        }
        next.requireFree();
        // Before another thread may call its hooks.
        next.peer = connection;
        next.dispatcher = dispatcher;
        next.registration = current;
        Throwable refusal = null;
        try {
            current.handOver(next);
        } catch (IOException e) {
            refusal = e;
        } catch (IllegalArgumentException | IllegalStateException e) {
            next.peer = null;
            next.dispatcher = null;
            next.registration = null;
            throw e;
        }
        peer = null;
        registration = null;
        if (refusal == null) {
            next.tryToOpen();
        } else {
            next.failedToOpen(connection, current, refusal);
        }
    }

    /** {@return the connection, null before {@link #open()} and after {@link #handOver}} */
    public final SocketStream peer() {
        return peer;
    }

    /** {@return the registration of the connection, null before {@link #open()} and after {@link #handOver}} */
    public final Registration registration() {
        return registration;
    }

    /** {@return where this handler is registered; null before {@link #open()} or {@link #connectFailed}} */
    public final Dispatcher dispatcher() {
        return dispatcher;
    }

    /**
     * {@return the handle of the connection}
     *
     * @throws IllegalStateException before {@link #open()}
     */
    public final Handle handle() {
        if (peer == null) {
            throw new IllegalStateException(this + " is not connected: the connection is available from open() on");
        }
        return peer.handle();
    }

    final void notifyConnectFailed(Dispatcher owner, Throwable cause) {
        if (!isConnected()) {
            dispatcher = owner;
        }
        // Without an object for the call: there may be no memory.
        try {
            connectFailed(cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(this, cause, e);
        }
    }

    private boolean isConnected() {
        SocketStream connection = peer;
        return connection != null && connection.handle().isOpen();
    }

    /** With two connections it would read from one of them what is ready on the other. */
    private void requireFree() {
        if (isConnected()) {
            throw new IllegalStateException(this + " is already connected to " + peer
                    + ": create one service handler per connection");
        }
    }

    /** If this throws, the service has not begun, and the connection is still the caller's. */
    final void activate(SocketStream connection, Dispatcher owner) {
        requireFree();
        peer = connection;
        dispatcher = owner;
        registration = null;
        Opening opening = new Opening();
        boolean begun = false;
        try {
            owner.callFirst(connection.handle(), opening);
            begun = opening.refusal == null;
        } finally {
            if (!begun) {
                peer = null;
            }
        }
        Failures.throwFirst(opening.refusal);
    }

    /** Registers it, and opens it before any other hook of the handle is called. */
    private final class Opening implements Runnable {

        private Throwable refusal;

        @Override
        public void run() {
            try {
                registration = register();
            } catch (IOException | RuntimeException | Error e) {
                refusal = e;
                return;
            }
            tryToOpen();
        }
    }

    private void tryToOpen() {
        // They may be those of another one when it has failed.
        SocketStream connection = peer;
        Registration current = registration;
        try {
            open();
        } catch (Throwable e) {
            failedToOpen(connection, current, e);
        }
    }

    private void failedToOpen(SocketStream connection, Registration current, Throwable cause) {
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
}

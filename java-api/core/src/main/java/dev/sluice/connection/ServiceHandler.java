package dev.sluice.connection;

import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;

/**
 * The Acceptor-Connector pattern's Service Handler: a service on one connection. It may be given another one when that
 * is closed; while it is open, another connection is refused, and closed.
 *
 * <p>A thread of its {@link #dispatcher()} calls {@link #open()}, and then the hooks for the events of the connection,
 * one after the other, whatever the dispatcher: only when {@link #open()} has returned, however early that registers
 * the handler, and each sees what the previous ones have written. So a service that is used by these hooks alone needs
 * no lock. Where there is a loop thread that is true of everything else as well. Where several threads dispatch, as on
 * a shared {@link dev.sluice.reactor.Reactor} or in a Leader/Followers pool, {@link #handleTimeout}, tasks, and
 * whatever other threads do with the service run at the same time as these hooks, the timers that {@link #open()}
 * schedules even before it has returned, and one that was expiring when it was cancelled after {@link #handleClose}.
 * What they share with the hooks needs a lock; often it is enough that they leave a mark and change what the handle is
 * registered for, which is safe at any time: a handle whose registration has ended is left alone.
 */
public abstract class ServiceHandler implements EventHandler {

    private SocketStream peer;
    private Dispatcher dispatcher;

    /** For subclasses; there is a connection only once {@link #open()} is called. */
    protected ServiceHandler() {
    }

    /**
     * The connection is established: the service begins, usually by registering this handler with
     * {@link #dispatcher()}.
     *
     * <p>If it throws, the effect is the same as for any other hook: {@link #handleFailure} and {@link #handleClose}
     * are called, the latter even if this handler is not registered, and the connection is closed. If this method has
     * already closed the connection itself, {@link #handleClose} is called only if this handler was registered.
     * Registering with anything other than {@link #dispatcher()} must be the last thing this method does.
     *
     * @throws Exception if it cannot
     */
    protected abstract void open() throws Exception;

    /**
     * There is no connection: {@link Connector} calls this instead of {@link #open()}. By default it calls
     * {@link #handleFailure} without a handle. What it throws is logged.
     *
     * @param cause why, such as a refusal, a {@link java.net.SocketTimeoutException}, or a
     *              {@link java.util.concurrent.CancellationException} if the attempt was cancelled
     */
    protected void connectFailed(Throwable cause) {
        handleFailure(null, cause);
    }

    /**
     * Gives the connection to another service handler, as when a protocol is replaced by another: if this one is
     * registered, the other one takes over the registration with its events, and its {@link #open()} is called. From
     * then on all hooks for the connection are the other one's. This one has no connection any more, and is not called
     * for its end. What has been received and belongs to the other one, it must be given before. For {@link #open()}
     * and the hooks of this connection, as the last thing that they do; where there is a loop thread, for that thread
     * at any time.
     *
     * @param next has no connection yet, or one that is closed
     * @throws IllegalArgumentException as {@link Dispatcher#handOver}
     * @throws IllegalStateException    if this one has no connection, the next one has a connection that is open, the
     *                                  handle is registered with yet another handler, or there is a loop thread and it
     *                                  is not the caller
     */
    protected final void handOver(ServiceHandler next) {
        SocketStream connection = peer;
        Handle handle = handle();
        next.requireFree();
        Dispatcher owner = dispatcher;
        boolean registered = owner.isRegistered(handle);
        // Before another thread may call its hooks.
        next.peer = connection;
        next.dispatcher = owner;
        Throwable refusal = null;
        if (registered) {
            try {
                owner.handOver(handle, this, next);
            } catch (IOException e) {
                refusal = e;
            } catch (IllegalArgumentException | IllegalStateException e) {
                next.peer = null;
                next.dispatcher = null;
                throw e;
            }
        }
        peer = null;
        if (refusal != null) {
            next.failedToOpen(handle, refusal);
        } else if (registered) {
            next.tryToOpen(handle);
        } else {
            next.openFirst(handle);
        }
    }

    /** {@return the connection, null before {@link #open()} and after {@link #handOver}} */
    public final SocketStream peer() {
        return peer;
    }

    /** {@return where this handler is to register; null before {@link #open()} or {@link #connectFailed}} */
    public final Dispatcher dispatcher() {
        return dispatcher;
    }

    /**
     * {@return the handle of the connection}
     *
     * @throws IllegalStateException before {@link #open()}
     */
    @Override
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
        boolean begun = false;
        try {
            openFirst(connection.handle());
            begun = true;
        } finally {
            if (!begun) {
                peer = null;
            }
        }
    }

    /** Opens it before any other hook of the handle is called. */
    private void openFirst(Handle handle) {
        Opening opening = new Opening(handle);
        boolean registered = dispatcher.callFirst(handle, opening);
        if (opening.failed && !registered) {
            notifyClose(handle);
        }
    }

    /** A call of {@link #open()}. */
    private final class Opening implements Runnable {

        private final Handle handle;
        /** Whether it has failed and left the handle open, so that {@link #handleClose} must be called. */
        private boolean failed;

        Opening(Handle handle) {
            this.handle = handle;
        }

        @Override
        public void run() {
            failed = tryToOpen(handle);
        }
    }

    /** {@return whether it has failed on a handle that was open} */
    private boolean tryToOpen(Handle handle) {
        try {
            open();
            return false;
        } catch (Throwable e) {
            return failedToOpen(handle, e);
        }
    }

    /** {@return whether the handle was open} */
    private boolean failedToOpen(Handle handle, Throwable cause) {
        notifyFailure(handle, cause);
        boolean open = handle.isOpen();
        try {
            handle.close();
        } catch (Throwable e) {
            HookFailure.logUndelivered(this, cause, e);
        }
        return open;
    }

    private void notifyClose(Handle handle) {
        try {
            handleClose(handle, 0);
        } catch (Throwable e) {
            notifyFailure(handle, e);
        }
    }

    private void notifyFailure(Handle handle, Throwable cause) {
        try {
            handleFailure(handle, cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(this, cause, e);
        }
    }
}

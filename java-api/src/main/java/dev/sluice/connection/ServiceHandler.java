package dev.sluice.connection;

import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;

/**
 * The Acceptor-Connector pattern's Service Handler: a service on one connection. Only the loop thread of its reactor
 * uses it, from {@link #open()} to {@link #handleClose}.
 */
public abstract class ServiceHandler implements EventHandler {

    private SocketStream peer;
    private Reactor reactor;

    /** For subclasses; there is a connection only once {@link #open()} is called. */
    protected ServiceHandler() {
    }

    /**
     * The connection is established: the service begins, usually by registering this handler with {@link #reactor()}.
     *
     * <p>If it throws, the effect is the same as for any other hook: {@link #handleFailure} and {@link #handleClose}
     * are called, the latter even if this handler is not registered, and the connection is closed. If this method has
     * already closed the connection itself, {@link #handleClose} is called only if this handler was registered.
     * Registering with anything other than {@link #reactor()} must be the last thing this method does.
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

    /** {@return the connection, null before {@link #open()}} */
    public final SocketStream peer() {
        return peer;
    }

    /** {@return the reactor that this handler belongs to; null before {@link #open()} or {@link #connectFailed}} */
    public final Reactor reactor() {
        return reactor;
    }

    /**
     * {@return the handle of the connection}
     *
     * @throws IllegalStateException before {@link #open()}
     */
    @Override
    public final Handle handle() {
        if (peer == null) {
            throw new IllegalStateException(this + " has no connection: it is there when open() is called");
        }
        return peer.handle();
    }

    final void tellConnectFailed(Reactor owner, Throwable cause) {
        reactor = owner;
        HookFailure.tell(this, cause, () -> connectFailed(cause));
    }

    final void activate(SocketStream connection, Reactor owner) {
        peer = connection;
        reactor = owner;
        try {
            open();
        } catch (Throwable e) {
            failedToOpen(connection.handle(), e);
        }
    }

    private void failedToOpen(Handle handle, Throwable cause) {
        tellFailure(handle, cause);
        boolean missing = handle.isOpen() && !reactor.isRegistered(handle);
        try {
            handle.close();
        } catch (Throwable e) {
            HookFailure.untold(this, cause, e);
        }
        if (missing) {
            try {
                handleClose(handle, 0);
            } catch (Throwable e) {
                tellFailure(handle, e);
            }
        }
    }

    private void tellFailure(Handle handle, Throwable cause) {
        try {
            handleFailure(handle, cause);
        } catch (Throwable e) {
            HookFailure.untold(this, cause, e);
        }
    }
}

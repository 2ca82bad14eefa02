package dev.sluice.connection;

import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;

/**
 * The Acceptor-Connector pattern's Service Handler: a service on one connection. It is used by the loop thread of its
 * reactor only, from {@link #open()} to {@link #handleClose}.
 */
public abstract class ServiceHandler implements EventHandler {

    private SocketStream peer;
    private Reactor reactor;

    /** For subclasses; the connection is there when {@link #open()} is called. */
    protected ServiceHandler() {
    }

    /**
     * The connection stands: the service begins, usually by registering this handler with {@link #reactor()}.
     *
     * @throws Exception if it cannot; {@link #handleFailure} is called and the connection closed
     */
    protected abstract void open() throws Exception;

    /**
     * There is no connection: {@link Connector} calls this instead of {@link #open()}. By default the same as
     * {@link #handleFailure} with no handle. What it throws is logged.
     *
     * @param cause why, such as a refusal or a {@link java.net.SocketTimeoutException}
     */
    protected void connectFailed(Throwable cause) {
        handleFailure(null, cause);
    }

    /** {@return the connection, null before {@link #open()}} */
    public final SocketStream peer() {
        return peer;
    }

    /** {@return the reactor that this handler belongs to, null before {@link #open()}} */
    public final Reactor reactor() {
        return reactor;
    }

    @Override
    public final Handle handle() {
        return peer.handle();
    }

    final void tellConnectFailed(Throwable cause) {
        HookFailure.tell(this, cause, () -> connectFailed(cause));
    }

    final void activate(SocketStream connection, Reactor owner) {
        peer = connection;
        reactor = owner;
        try {
            open();
        } catch (Throwable e) {
            HookFailure.tell(this, e, () -> handleFailure(connection.handle(), e));
            HookFailure.tell(this, e, connection::close);
        }
    }
}

package dev.sluice.connection;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.Objects;

/**
 * The Acceptor-Connector pattern's Connector: connects service handlers without blocking. Any number of attempts can be
 * under way at once. May be used by any thread; the hooks are called by the reactor's loop thread.
 */
public final class Connector {

    private final Reactor reactor;

    /**
     * Makes a connector.
     *
     * @param reactor waits for the connections, and is where the service handlers live
     */
    public Connector(Reactor reactor) {
        this.reactor = Objects.requireNonNull(reactor, "reactor");
    }

    /**
     * Begins to connect. Exactly one of {@link ServiceHandler#open()} and {@link ServiceHandler#connectFailed} is
     * called later, always from the event loop and never from within this method, even if the connection is established
     * or fails at once.
     *
     * @param handler the service handler
     * @param address of the peer
     * @param timeout the longest to wait for it
     * @throws IllegalArgumentException if the timeout is negative, or there is no connecting to an address of this kind
     * @throws java.util.concurrent.RejectedExecutionException if the reactor is closed
     */
    public void connect(ServiceHandler handler, SocketAddress address, Duration timeout) {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(address, "address");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout + " is negative");
        }
        if (!(address instanceof InetSocketAddress) && !(address instanceof UnixDomainSocketAddress)) {
            throw new IllegalArgumentException("neither an internet nor a Unix domain address: " + address);
        }
        reactor.execute(() -> begin(handler, address, timeout));
    }

    private void begin(ServiceHandler handler, SocketAddress address, Duration timeout) {
        try {
            SocketConnector.Attempt attempt = SocketConnector.initiate(address, null);
            if (attempt.connected()) {
                handler.activate(attempt.stream(), reactor);
            } else {
                new Pending(handler, address, attempt.stream()).await(timeout);
            }
        } catch (Throwable e) {
            handler.tellConnectFailed(reactor, e);
        }
    }

    /** An attempt that is under way. Ends when its handle becomes writable, when it times out, or with the reactor. */
    private final class Pending implements EventHandler {

        private final ServiceHandler handler;
        private final SocketAddress address;
        private final SocketStream stream;
        private Timer timer;
        private Throwable failure = new IOException("the reactor was closed before the connection stood");
        private boolean connected;

        Pending(ServiceHandler handler, SocketAddress address, SocketStream stream) {
            this.handler = handler;
            this.address = address;
            this.stream = stream;
        }

        void await(Duration timeout) throws IOException {
            try {
                timer = reactor.schedule(this, timeout, timeout);
                reactor.registerHandler(this, EventType.CONNECT);
            } catch (Throwable e) {
                stream.close();
                if (timer != null) {
                    reactor.cancel(timer);
                }
                throw e;
            }
        }

        @Override
        public Handle handle() {
            return stream.handle();
        }

        @Override
        public void handleOutput(Handle handle) throws IOException {
            SocketConnector.complete(stream, address);
            connected = true;
            reactor.removeHandler(this);
        }

        @Override
        public void handleTimeout(Object timeout) {
            handleFailure(handle(), SocketConnector.timedOut(address, (Duration) timeout));
            reactor.removeHandler(this);
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            failure = cause;
        }

        // The only way out, so that the service handler is told exactly once, whatever the outcome.
        @Override
        public void handleClose(Handle handle, int events) {
            reactor.cancel(timer);
            if (connected) {
                handler.activate(stream, reactor);
            } else {
                stream.close();
                handler.tellConnectFailed(reactor, failure);
            }
        }

        @Override
        public String toString() {
            return "attempt to connect " + stream;
        }
    }
}

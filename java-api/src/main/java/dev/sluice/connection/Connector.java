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
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The Acceptor-Connector pattern's Connector: connects service handlers without blocking. Any number of attempts can be
 * under way at once. May be used by any thread; the hooks are called by the reactor's loop thread.
 */
public final class Connector {

    private final Reactor reactor;
    private final AtomicLong lastTicket = new AtomicLong();
    /** The attempts under way, by ticket. Used only by the loop thread. */
    private final Map<Long, Pending> pending = new HashMap<>();

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
     * @return the ticket, for {@link #cancel}
     * @throws IllegalArgumentException if the timeout is negative, or there is no connecting to an address of this kind
     * @throws java.util.concurrent.RejectedExecutionException if the reactor is closed
     */
    public long connect(ServiceHandler handler, SocketAddress address, Duration timeout) {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(address, "address");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout + " is negative");
        }
        if (!(address instanceof InetSocketAddress) && !(address instanceof UnixDomainSocketAddress)) {
            throw new IllegalArgumentException("neither an internet nor a Unix domain address: " + address);
        }
        long ticket = lastTicket.incrementAndGet();
        reactor.execute(() -> begin(ticket, handler, address, timeout));
        return ticket;
    }

    /**
     * Gives up an attempt to connect: {@link ServiceHandler#connectFailed} is called, from the event loop and never
     * from within this method, with a {@link CancellationException}. Does nothing if the attempt is over, in
     * particular if {@link ServiceHandler#open()} has been called: the connection then belongs to the handler.
     *
     * @param ticket what {@link #connect} returned
     */
    public void cancel(long ticket) {
        try {
            // The loop executes in order, so that the attempt has begun by then.
            reactor.execute(() -> giveUp(ticket));
        } catch (RejectedExecutionException e) {
            // The reactor is closed, and with it the attempt is over.
        }
    }

    private void giveUp(long ticket) {
        Pending attempt = pending.get(ticket);
        if (attempt != null) {
            attempt.cancel();
        }
    }

    private void begin(long ticket, ServiceHandler handler, SocketAddress address, Duration timeout) {
        try {
            SocketConnector.Attempt attempt = SocketConnector.initiate(address, null);
            if (attempt.connected()) {
                handler.activate(attempt.stream(), reactor);
            } else {
                new Pending(ticket, handler, address, attempt.stream()).await(timeout);
            }
        } catch (Throwable e) {
            handler.tellConnectFailed(reactor, e);
        }
    }

    /** An attempt that is under way. Ends when its handle becomes writable, when it times out, or with the reactor. */
    private final class Pending implements EventHandler {

        private final long ticket;
        private final ServiceHandler handler;
        private final SocketAddress address;
        private final SocketStream stream;
        private Timer timer;
        private Throwable failure = new IOException("the reactor was closed before the connection stood");
        private boolean connected;

        Pending(long ticket, ServiceHandler handler, SocketAddress address, SocketStream stream) {
            this.ticket = ticket;
            this.handler = handler;
            this.address = address;
            this.stream = stream;
        }

        void await(Duration timeout) throws IOException {
            try {
                timer = reactor.schedule(this, timeout, timeout);
                reactor.registerHandler(this, EventType.CONNECT);
                pending.put(ticket, this);
            } catch (Throwable e) {
                stream.close();
                if (timer != null) {
                    reactor.cancel(timer);
                }
                throw e;
            }
        }

        void cancel() {
            failure = new CancellationException("connect " + address + ": cancelled");
            reactor.removeHandler(this);
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
            pending.remove(ticket);
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

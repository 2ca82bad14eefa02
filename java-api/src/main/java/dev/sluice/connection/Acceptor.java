package dev.sluice.connection;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Acceptor-Connector pattern's Acceptor: accepts connections and gives each to a new service handler, on its own
 * reactor or handed out in turn to several.
 *
 * <p>When the process or the system has no descriptors left, connections wait in the backlog: the acceptor pauses for a
 * while and then tries again, since a listening socket that stays readable would otherwise keep the loop spinning.
 */
public class Acceptor implements EventHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    /** Connections accepted in a row before other handlers get their turn. */
    private static final int FAIR_SHARE = 64;
    static final Duration PAUSE = Duration.ofMillis(100);

    private final Reactor reactor;
    private final SocketAcceptor acceptor;
    private final List<Reactor> targets;
    private final Supplier<? extends ServiceHandler> factory;
    private int nextTarget;
    private boolean starved;

    /**
     * Makes an acceptor whose service handlers live on the same reactor.
     *
     * @param reactor  to accept on
     * @param acceptor where connections come in; owned by this object from {@link #open()} on
     * @param factory  makes the service handler of a connection
     */
    public Acceptor(Reactor reactor, SocketAcceptor acceptor, Supplier<? extends ServiceHandler> factory) {
        this(reactor, acceptor, List.of(reactor), factory);
    }

    /**
     * Makes an acceptor that hands its connections out to several reactors, one after the other. Closed reactors,
     * including those that have failed, are skipped; if none is left, connections are closed, which is logged.
     *
     * @param reactor  to accept on
     * @param acceptor where connections come in; owned by this object from {@link #open()} on
     * @param targets  where the service handlers live; may include the acceptor's own reactor
     * @param factory  makes the service handler of a connection; called by the acceptor's loop thread
     */
    public Acceptor(Reactor reactor, SocketAcceptor acceptor, List<Reactor> targets,
                    Supplier<? extends ServiceHandler> factory) {
        this.reactor = Objects.requireNonNull(reactor, "reactor");
        this.acceptor = Objects.requireNonNull(acceptor, "acceptor");
        this.targets = List.copyOf(targets);
        this.factory = Objects.requireNonNull(factory, "factory");
        if (this.targets.isEmpty()) {
            throw new IllegalArgumentException("no reactor to hand connections to");
        }
    }

    /**
     * Begins to accept.
     *
     * @throws IOException as {@link Reactor#registerHandler(EventHandler, int)}
     */
    public void open() throws IOException {
        reactor.registerHandler(this, EventType.ACCEPT);
    }

    /** Stops accepting and closes the listening socket. May be called by any thread. */
    public void close() {
        acceptor.close();
    }

    @Override
    public final Handle handle() {
        return acceptor.handle();
    }

    @Override
    public final void handleInput(Handle handle) throws IOException {
        for (int accepted = 0; accepted < FAIR_SHARE; accepted++) {
            SocketStream stream = acceptOrPause();
            if (stream == null) {
                return;
            }
            starved = false;
            serve(stream);
        }
    }

    private void serve(SocketStream stream) {
        try {
            activateServiceHandler(stream, Objects.requireNonNull(makeServiceHandler(), "service handler"));
        } catch (Throwable e) {
            try {
                HookFailure.log(LOG, this, stream, e);
            } finally {
                stream.close();
            }
        }
    }

    private SocketStream acceptOrPause() throws IOException {
        try {
            return acceptor.accept();
        } catch (HandleClosedException e) {
            // Closed by a service handler or another thread; handleClose has been called, or will be.
            return null;
        } catch (SystemCallException e) {
            if (!isShortage(e.error())) {
                throw e;
            }
            if (!starved) {
                starved = true;
                LOG.warn("connections must wait: {}", e.getMessage());
            }
            reactor.deactivateHandle(handle());
            reactor.schedule(this, null, PAUSE);
            return null;
        } catch (OutOfMemoryError e) {
            // It costs this connection, not later ones, just like anything a service throws. Pausing would take memory.
            HookFailure.log(LOG, this, "a connection", e);
            return null;
        }
    }

    static boolean isShortage(Errno error) {
        return error == Errno.EMFILE || error == Errno.ENFILE || error == Errno.ENOBUFS || error == Errno.ENOMEM;
    }

    @Override
    public final void handleTimeout(Object token) {
        reactor.reactivateHandle(handle());
    }

    /** {@return a service handler for a new connection; the factory's product unless overridden} */
    protected ServiceHandler makeServiceHandler() {
        return factory.get();
    }

    /**
     * Activates a service handler on the reactor whose turn it is, skipping closed ones; may be overridden to choose
     * differently. If it throws, the connection is closed.
     *
     * @param stream  its connection
     * @param handler the service handler
     */
    protected void activateServiceHandler(SocketStream stream, ServiceHandler handler) {
        RejectedExecutionException closed = null;
        for (int i = 0; i < targets.size(); i++) {
            Reactor target = targets.get(nextTarget);
            nextTarget = (nextTarget + 1) % targets.size();
            if (target == reactor) {
                handler.activate(stream, target);
                return;
            }
            try {
                target.execute(() -> handler.activate(stream, target));
                return;
            } catch (RejectedExecutionException e) {
                closed = e;
            }
        }
        throw closed;
    }

    @Override
    public String toString() {
        return "acceptor on " + acceptor;
    }
}

package dev.sluice.connection;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.Targets;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Acceptor-Connector pattern's Acceptor: accepts connections and gives each to a new service handler, on its own
 * dispatcher or handed out to several by a {@link Distribution}.
 *
 * <p>One thread at a time accepts, makes service handlers and chooses their dispatchers, also where several threads
 * dispatch: so the factory and the distribution need no lock. If the dispatcher chosen is the acceptor's own, that
 * thread also calls {@link ServiceHandler#open()}, which keeps other connections waiting if it blocks; else a thread of
 * the one chosen does, and where several threads dispatch, they may open several service handlers at the same time.
 *
 * <p>When the process or the system has no descriptors left, or accepting is forbidden, connections wait in the
 * backlog: the acceptor pauses for a while and then tries again, since a listening socket that stays readable would
 * otherwise keep the loop spinning. Only an error of the listening socket itself ends it ({@link ErrorScope#ofAccept}).
 */
public class Acceptor implements EventHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    /** Connections accepted in a row before other handlers get their turn. */
    private static final int FAIR_SHARE = 64;
    static final Duration PAUSE = Duration.ofMillis(100);

    private final Dispatcher dispatcher;
    private final SocketAcceptor acceptor;
    private final Targets<Dispatcher> targets;
    private final Supplier<? extends ServiceHandler> factory;
    /** Without an object for each pause, since it must end also when there is no memory. */
    private final Runnable resumption = this::resumeNow;
    private Registration registration;
    private boolean starved;

    /**
     * Makes an acceptor whose service handlers live on the same dispatcher.
     *
     * @param dispatcher to accept on
     * @param acceptor   the acceptor of the connections; owned by this object from {@link #open()} on
     * @param factory    makes the service handler of a connection, another one for each that is open
     */
    public Acceptor(Dispatcher dispatcher, SocketAcceptor acceptor, Supplier<? extends ServiceHandler> factory) {
        this(dispatcher, acceptor, List.of(dispatcher), Distribution.roundRobin(), factory);
    }

    /**
     * Makes an acceptor that hands its connections out to several dispatchers. Closed ones, including those that have
     * failed, are skipped; if none is left, connections are closed, which is logged.
     *
     * @param dispatcher   to accept on
     * @param acceptor     the acceptor of the connections; owned by this object from {@link #open()} on
     * @param targets      the dispatchers of the service handlers; may include the acceptor's own dispatcher
     * @param distribution chooses one of them for each connection; of this acceptor alone
     * @param factory      makes the service handler of a connection, another one for each that is open
     */
    @SuppressWarnings("this-escape") // Only stored, and used once there is a connection.
    public Acceptor(Dispatcher dispatcher, SocketAcceptor acceptor, List<? extends Dispatcher> targets,
                    Distribution distribution, Supplier<? extends ServiceHandler> factory) {
        this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher");
        this.acceptor = Objects.requireNonNull(acceptor, "acceptor");
        this.targets = new Targets<>(LOG, this, dispatcher, targets, distribution);
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    /**
     * Begins to accept.
     *
     * @throws IOException as {@link Dispatcher#register}
     */
    public void open() throws IOException {
        dispatcher.register(acceptor.handle(), Interest.READ, this);
    }

    /** Stops accepting and closes the listening socket. May be called by any thread. */
    public void close() {
        acceptor.close();
    }

    @Override
    public final void handleInput(Registration ready) throws IOException {
        registration = ready;
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
            targets.reject(stream, e);
        }
    }

    private SocketStream acceptOrPause() throws IOException {
        try {
            return acceptor.accept();
        } catch (HandleClosedException e) {
            // Closed by a service handler or another thread; handleClose has been called, or will be.
            return null;
        } catch (SystemCallException e) {
            if (ErrorScope.ofAccept(e) == ErrorScope.SOCKET) {
                throw e;
            }
            pause(e);
            return null;
        } catch (OutOfMemoryError e) {
            // It costs this connection, not later ones, just like anything a service throws.
            lackMemory(e);
            return null;
        }
    }

    private void pause(SystemCallException cause) {
        try {
            if (!starved) {
                LOG.warn("accepting is paused: {}", cause.getMessage());
                starved = true;
            }
            registration.pause();
            try {
                dispatcher.schedule(this, null, PAUSE);
            } catch (Throwable e) {
                resume();
                throw e;
            }
        } catch (OutOfMemoryError e) {
            lackMemory(e);
        }
    }

    /** The handle stays active, and is reported again: to wait by a timer takes memory. */
    private void lackMemory(OutOfMemoryError failure) {
        if (!starved) {
            HookFailure.log(LOG, this, "a connection", failure);
            starved = true;
        }
        MemoryShortage.pause();
    }

    @Override
    public final void handleTimeout(Object token) {
        resume();
    }

    private void resumeNow() {
        registration.resume();
    }

    private void resume() {
        try {
            MemoryShortage.retryUntilAvailable(resumption);
        } catch (RuntimeException | Error e) {
            // Otherwise clients would wait in the backlog and never be accepted.
            acceptor.close();
            throw e;
        }
    }

    /** {@return a service handler for a new connection; the factory's product unless overridden} */
    protected ServiceHandler makeServiceHandler() {
        return factory.get();
    }

    /**
     * Activates a service handler on the dispatcher that the distribution chooses, skipping closed ones; may be
     * overridden to choose differently. If it throws, the connection is closed.
     *
     * @param stream  its connection
     * @param handler the service handler
     */
    protected void activateServiceHandler(SocketStream stream, ServiceHandler handler) {
        targets.handOut(stream, target -> handler.activate(stream, target));
    }

    @Override
    public String toString() {
        return "acceptor on " + acceptor;
    }
}

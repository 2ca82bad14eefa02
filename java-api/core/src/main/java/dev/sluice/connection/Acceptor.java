package dev.sluice.connection;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.Targets;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.spi.AcceptorMember;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.reactor.Registration;
import dev.sluice.timer.TimeoutHandler;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Acceptor-Connector pattern's Acceptor: accepts connections and gives each to a new service handler, on its own
 * dispatcher or on one of several that a {@link Distribution} chooses.
 *
 * <p>One thread at a time accepts, creates service handlers and chooses their dispatchers, even if several threads
 * dispatch: so the factory and the distribution need no lock. If the chosen dispatcher is the acceptor's own, that
 * thread also calls {@link ServiceHandler#open()}, which delays other connections if it blocks; otherwise a thread of
 * the chosen dispatcher does, and if several threads dispatch, they may open service handlers concurrently.
 *
 * <p>If the process or the system has no descriptors left, or accepting is forbidden, connections wait in the backlog:
 * the acceptor pauses for 100 ms and then tries again, because the loop would spin on a listening socket that stays
 * readable. Only an error of the listening socket itself ends the acceptor ({@link ErrorScope#ofAccept}).
 */
public final class Acceptor implements EventHandler, TimeoutHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    /** Maximum number of connections accepted per call, for fairness to other handlers. */
    private static final int ACCEPT_BUDGET = 64;

    private final Dispatcher dispatcher;
    private final SocketAcceptor acceptor;
    private final Targets<Dispatcher> targets;
    private final Supplier<? extends ServiceHandler> factory;
    private final ListenOptions options;
    /** Called with connections beyond the limit; null if clients wait in the backlog instead. */
    private final @Nullable Consumer<? super SocketStream> refusal;
    private final Connections connections;
    private final Member member;
    private final AcceptorPause pause;
    private volatile @Nullable Registration registration;

    private Acceptor(SocketAcceptor acceptor, List<? extends Dispatcher> dispatchers, ListenOptions options,
            Supplier<? extends ServiceHandler> factory) {
        this.dispatcher = dispatchers.get(0);
        this.acceptor = acceptor;
        this.targets = new Targets<>(LOG, this, dispatchers, options.distribution());
        this.options = options;
        this.refusal = options.refusal();
        this.connections = options.connections();
        this.factory = Objects.requireNonNull(factory, "factory");
        this.member = new Member();
        this.pause = new AcceptorPause(this, dispatcher, acceptor);
    }

    /**
     * Listens on an address, as {@link #listen(Dispatcher, SocketAddress, ListenOptions, Supplier)} with the defaults.
     *
     * @param dispatcher the dispatcher that accepts and serves the connections
     * @param address    the local address
     * @param factory    creates the service handler of each connection
     * @return the acceptor
     * @throws IOException as the other method
     */
    public static Acceptor listen(Dispatcher dispatcher, SocketAddress address,
            Supplier<? extends ServiceHandler> factory) throws IOException {
        return listen(dispatcher, address, new ListenOptions(), factory);
    }

    /**
     * Listens on an address. The event loop closes the acceptor when it is closed or stopped in order.
     *
     * @param dispatcher the dispatcher that accepts and serves the connections
     * @param address    the local address
     * @param options    the options of the listening socket
     * @param factory    creates a new service handler for each connection; called by the thread that accepts
     * @return the acceptor
     * @throws IllegalStateException if the dispatcher is closed
     * @throws IOException           if the address is in use or not of this machine, or the system rejects an option
     */
    public static Acceptor listen(Dispatcher dispatcher, SocketAddress address, ListenOptions options,
            Supplier<? extends ServiceHandler> factory) throws IOException {
        return listen(List.of(dispatcher), options.open(address), options, factory);
    }

    /**
     * Listens on an address, as {@link #listen(ReactorGroup, SocketAddress, ListenOptions, Supplier)} with the
     * defaults.
     *
     * @param group   the group that serves the connections
     * @param address the local address
     * @param factory creates the service handler of each connection
     * @return the acceptor
     * @throws IOException as the other method
     */
    public static Acceptor listen(ReactorGroup group, SocketAddress address,
            Supplier<? extends ServiceHandler> factory) throws IOException {
        return listen(group, address, new ListenOptions(), factory);
    }

    /**
     * Listens on an address, and distributes the connections among the reactors of a group; the first one accepts them.
     *
     * @param group   the group that serves the connections
     * @param address the local address
     * @param options the options of the listening socket
     * @param factory creates a new service handler for each connection; called by the thread that accepts
     * @return the acceptor
     * @throws IllegalStateException if the group is closed
     * @throws IOException           as {@link #listen(Dispatcher, SocketAddress, ListenOptions, Supplier)}
     */
    public static Acceptor listen(ReactorGroup group, SocketAddress address, ListenOptions options,
            Supplier<? extends ServiceHandler> factory) throws IOException {
        return listen(group.loops(), options.open(address), options, factory);
    }

    /**
     * Listens as {@link #listen(ReactorGroup, SocketAddress, ListenOptions, Supplier)} does, on a socket that the
     * program has opened, for any dispatchers.
     *
     * @param dispatchers the dispatchers that serve the connections, at least one; the first one that is open accepts
     *                    them. A dispatcher that has been closed, possibly because it has failed, gets no more
     *                    connections.
     * @param socket      the listening socket; owned by the acceptor from now on, and closed if this throws
     * @param options     the options; socket options of the listening socket are not set again
     * @param factory     creates a new service handler for each connection; called by the thread that accepts
     * @return the acceptor
     * @throws IllegalStateException if all dispatchers are closed
     * @throws IOException           if a system call fails
     */
    public static Acceptor listen(List<? extends Dispatcher> dispatchers, SocketAcceptor socket, ListenOptions options,
            Supplier<? extends ServiceHandler> factory) throws IOException {
        try {
            List<? extends Dispatcher> open = dispatchers.stream().filter(Dispatcher::isOpen).toList();
            if (dispatchers.isEmpty()) {
                throw new IllegalArgumentException("listen: no dispatcher to hand connections to");
            } else if (open.isEmpty()) {
                throw new IllegalStateException("listen: " + dispatchers.get(0) + " is closed; open another loop");
            }
            Acceptor acceptor = new Acceptor(socket, open, options, factory);
            acceptor.open();
            return acceptor;
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    /** Starts accepting. */
    private void open() throws IOException {
        connections.add(member);
        boolean opened = false;
        try {
            if (dispatcher instanceof EventLoop loop) {
                loop.addMember(member);
            }
            dispatcher.register(acceptor.handle(), Interest.READ, this);
            opened = true;
        } finally {
            if (!opened) {
                leave();
            }
        }
    }

    private void leave() {
        connections.remove(member);
        if (dispatcher instanceof EventLoop loop) {
            loop.removeMember(member);
        }
    }

    /**
     * {@return the local address, with the port that the system has chosen if it was 0}
     *
     * @throws IOException if it is closed
     */
    public SocketAddress localAddress() throws IOException {
        return acceptor.localAddress();
    }

    /** {@return the registry of the open connections that it has accepted, which may be shared with other acceptors} */
    public Connections connections() {
        return connections;
    }

    /** Stops accepting and closes the listening socket. May be called by any thread. */
    public void close() {
        acceptor.close();
    }

    @Override
    public void handleInput(Registration ready) throws IOException {
        registration = ready;
        for (int accepted = 0; accepted < ACCEPT_BUDGET; accepted++) {
            boolean reserved = reserve(ready);
            if (!reserved && refusal == null) {
                return;
            }
            SocketStream stream = null;
            try {
                stream = acceptOrPause(ready);
            } finally {
                if (stream == null && reserved) {
                    connections.release(member);
                }
            }
            if (stream == null) {
                return;
            }
            pause.accepted();
            if (reserved) {
                begin(stream);
            } else {
                assert refusal != null;
                targets.reject(stream, refusal);
            }
        }
    }

    /**
     * Reserves a place for a connection. If there is none, and connections are not rejected, pauses the listening
     * socket. Returns whether there is a place.
     */
    private boolean reserve(Registration ready) {
        if (connections.reserve(member)) {
            return true;
        }
        if (refusal != null) {
            return false;
        }
        ready.pause();
        // A place may have become free before the pause.
        if (connections.reserve(member)) {
            ready.resume();
            return true;
        }
        return false;
    }

    /**
     * Serves a connection that the program has accepted itself, for example one from the backlog of a listening socket
     * that the program is about to close. Called by the loop thread; if several threads dispatch, by one thread at a
     * time after this acceptor has been closed.
     *
     * @param stream the connection; owned by its service handler from now on, or closed, unless this returns false
     * @return false if the registry has reached its limit
     */
    public boolean serve(SocketStream stream) {
        if (!connections.reserve(member)) {
            return false;
        }
        begin(stream);
        return true;
    }

    /** Starts the service of a connection, for which a place has been reserved. */
    private void begin(SocketStream stream) {
        try {
            if (!options.admits(stream)) {
                stream.close();
                connections.release(member);
                return;
            }
            options.applyTo(stream);
            ServiceHandler handler = factory.get();
            if (handler == null) {
                throw new IllegalStateException("listen: the factory has returned null instead of a handler: " + this);
            }
            targets.assign(stream, target -> activate(handler, stream, target));
        } catch (Throwable e) {
            reject(stream, e);
        }
    }

    private void reject(SocketStream stream, Throwable cause) {
        connections.release(member);
        targets.closeFailed(stream, cause);
    }

    private @Nullable SocketStream acceptOrPause(Registration ready) throws IOException {
        try {
            return acceptor.accept();
        } catch (HandleClosedException e) {
            // Closed by a service handler or another thread; handleClose has been called, or will be.
            return null;
        } catch (SystemCallException e) {
            if (ErrorScope.ofAccept(e) == ErrorScope.SOCKET) {
                throw e;
            }
            pause.begin(ready, e);
            return null;
        } catch (OutOfMemoryError e) {
            // Affects only this connection, as exceptions of services do.
            pause.sleep(e);
            return null;
        }
    }

    @Override
    public void handleTimeout(@Nullable Object token) {
        pause.end();
    }

    private void activate(ServiceHandler handler, SocketStream stream, Dispatcher target) {
        try {
            handler.activate(stream, target, connections);
        } catch (Throwable e) {
            reject(stream, e);
        }
    }

    @Override
    public void handleFailure(@Nullable Registration failed, Throwable cause) {
        try {
            if (cause instanceof HandleClosedException && !acceptor.handle().isOpen()) {
                LOG.debug("{} was closed before it was registered", acceptor, cause);
            } else {
                EventHandler.super.handleFailure(failed, cause);
                options.failed(cause);
            }
        } finally {
            if (failed != null) {
                // If another thread has requested a registration that failed, handleClose is not called.
                end();
            }
        }
    }

    @Override
    public void handleClose(Registration ended) {
        end();
    }

    private void end() {
        try {
            acceptor.close();
        } finally {
            leave();
        }
    }

    /** The listening socket as a member of its event loop and of the connections. */
    private final class Member extends AcceptorMember {

        Member() {
            super(dispatcher);
        }

        @Override
        public void resume() {
            Registration current = registration;
            if (current != null) {
                current.resume();
            }
        }

        @Override
        protected void finish() {
            acceptor.close();
        }

        @Override
        protected void endNow() {
            acceptor.close();
        }
    }

    @Override
    public String toString() {
        return "acceptor on " + acceptor;
    }
}

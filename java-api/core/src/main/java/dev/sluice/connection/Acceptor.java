package dev.sluice.connection;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.Targets;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.spi.AcceptorMember;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.reactor.Registration;
import dev.sluice.timer.TimeoutHandler;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
public final class Acceptor implements EventHandler, TimeoutHandler {

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
    private final ListenOptions options;
    /** Null if clients wait while there is no place. */
    private final @Nullable Consumer<? super SocketStream> refusal;
    private final Connections connections;
    private final Member member;
    private volatile @Nullable Registration registration;
    private boolean starved;

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
    }

    /**
     * Listens on an address, as {@link #listen(Dispatcher, SocketAddress, ListenOptions, Supplier)} with the defaults.
     *
     * @param dispatcher the dispatcher that accepts and serves the connections
     * @param address    the local address
     * @param factory    makes the service handler of each connection
     * @return the acceptor
     * @throws IOException as the other
     */
    public static Acceptor listen(Dispatcher dispatcher, SocketAddress address,
            Supplier<? extends ServiceHandler> factory) throws IOException {
        return listen(dispatcher, address, new ListenOptions(), factory);
    }

    /**
     * Listens on an address. The event loop closes the acceptor when it ends, and when it is stopped in order.
     *
     * @param dispatcher the dispatcher that accepts and serves the connections
     * @param address    the local address
     * @param options    the options of the listening socket
     * @param factory    makes the service handler of each connection, another one for each, by the thread that accepts
     * @return the acceptor
     * @throws IllegalStateException if the dispatcher is closed
     * @throws IOException           if the address is in use or not of this machine, or the system refuses an option
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
     * @param factory makes the service handler of each connection
     * @return the acceptor
     * @throws IOException as the other
     */
    public static Acceptor listen(ReactorGroup group, SocketAddress address,
            Supplier<? extends ServiceHandler> factory) throws IOException {
        return listen(group, address, new ListenOptions(), factory);
    }

    /**
     * Listens on an address, and hands the connections out to the reactors of a group; the first one accepts them.
     *
     * @param group   the group that serves the connections
     * @param address the local address
     * @param options the options of the listening socket
     * @param factory makes the service handler of each connection, another one for each, by the thread that accepts
     * @return the acceptor
     * @throws IllegalStateException if the group is closed
     * @throws IOException           as {@link #listen(Dispatcher, SocketAddress, ListenOptions, Supplier)}
     */
    public static Acceptor listen(ReactorGroup group, SocketAddress address, ListenOptions options,
            Supplier<? extends ServiceHandler> factory) throws IOException {
        return listen(group.loops(), options.open(address), options, factory);
    }

    /**
     * Listens as {@link #listen(ReactorGroup, SocketAddress, ListenOptions, Supplier)} on a socket that the program has
     * opened, for any dispatchers.
     *
     * @param dispatchers the dispatchers that serve the connections, at least one; the first one that is open accepts
     *                    them. Another one that is found closed, perhaps because it has failed, gets no more.
     * @param socket      the listening socket; owned by the acceptor from now on, and closed if this throws
     * @param options     the options; those of the listening socket are not set again
     * @param factory     makes the service handler of each connection, another one for each, by the thread that accepts
     * @return the acceptor
     * @throws IllegalStateException if all dispatchers are closed
     * @throws IOException           if the system refuses
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

    /** Begins to accept. */
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
     * {@return the address that it listens on, with the port that the system has chosen if none was given}
     *
     * @throws IOException if it is closed
     */
    public SocketAddress localAddress() throws IOException {
        return acceptor.localAddress();
    }

    /** {@return the connections that it has accepted and that are open, and perhaps those of other acceptors} */
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
        for (int accepted = 0; accepted < FAIR_SHARE; accepted++) {
            boolean reserved = reserve(ready);
            if (!reserved && refusal == null) {
                return;
            }
            SocketStream stream = null;
            try {
                stream = acceptOrPause();
            } finally {
                if (stream == null && reserved) {
                    connections.release(member);
                }
            }
            if (stream == null) {
                return;
            }
            starved = false;
            if (reserved) {
                begin(stream);
            } else {
                assert refusal != null;
                targets.refuse(stream, refusal);
            }
        }
    }

    /** {@return whether there is a place for a connection; if not, clients are refused, or wait until there is one} */
    private boolean reserve(Registration ready) {
        if (connections.reserve(member)) {
            return true;
        }
        if (refusal != null) {
            return false;
        }
        ready.pause();
        // One may have become free before the pause.
        if (connections.reserve(member)) {
            ready.resume();
            return true;
        }
        return false;
    }

    /**
     * Serves a connection that the program has accepted, as if this acceptor had: such as one that has waited in the
     * backlog when the program wants to close the listening socket. For the loop thread; where several threads
     * dispatch, for one thread at a time once this acceptor is closed.
     *
     * @param stream the connection; belongs to its service handler, or is closed, unless this returns false
     * @return false if the registry is at its limit
     */
    public boolean serve(SocketStream stream) {
        if (!connections.reserve(member)) {
            return false;
        }
        begin(stream);
        return true;
    }

    /** There is a place for it. */
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
            targets.handOut(stream, target -> activate(handler, stream, target));
        } catch (Throwable e) {
            reject(stream, e);
        }
    }

    private void reject(SocketStream stream, Throwable cause) {
        connections.release(member);
        targets.reject(stream, cause);
    }

    private @Nullable SocketStream acceptOrPause() throws IOException {
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
            registration().pause();
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
    public void handleTimeout(@Nullable Object token) {
        resume();
    }

    private void resumeNow() {
        registration().resume();
    }

    /** {@return the registration, which its first hook has kept} */
    private Registration registration() {
        Registration kept = registration;
        assert kept != null;
        return kept;
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
                // No close follows if another thread has asked for the registration, and it could not be made.
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

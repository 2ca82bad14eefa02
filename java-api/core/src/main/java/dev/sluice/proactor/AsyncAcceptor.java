package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.connection.Connections;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections asynchronously: the Acceptor-Connector pattern's Acceptor on a proactor. One of {@link #listen}
 * accepts by itself, on one proactor or for several, and gives each connection to a {@link StreamHandler}, or to a
 * program that starts single operations on it. One of a constructor is for a program that starts single operations to
 * accept: a failure such as {@code EMFILE} leaves the connection in the backlog, and starting again at once may fail at
 * once.
 */
public final class AsyncAcceptor extends AsyncHandle {

    private final SocketAcceptor acceptor;
    /** Null if single operations are started. */
    private final @Nullable StreamAcceptor listening;
    /** Where it listens; null if single operations are started. */
    private final @Nullable SocketAddress local;

    /**
     * Lets connections be accepted.
     *
     * @param proactor that calls the handler
     * @param acceptor the acceptor of the connections; the caller still owns it
     * @param handler  gets the completions
     * @throws IOException           if the acceptor or the proactor is closed, or the system refuses
     * @throws IllegalStateException if the acceptor belongs to an {@code AsyncAcceptor} of this proactor already
     */
    public AsyncAcceptor(Proactor proactor, SocketAcceptor acceptor, CompletionHandler handler) throws IOException {
        super(proactor, acceptor.handle(), Objects.requireNonNull(handler, "handler"));
        this.acceptor = acceptor;
        this.listening = null;
        this.local = null;
    }

    /** As {@link #AsyncAcceptor(Proactor, SocketAcceptor, CompletionHandler)}, for completions that go to futures. */
    public AsyncAcceptor(Proactor proactor, SocketAcceptor acceptor) throws IOException {
        super(proactor, acceptor.handle(), null);
        this.acceptor = acceptor;
        this.listening = null;
        this.local = null;
    }

    private AsyncAcceptor(List<Proactor> loops, SocketAcceptor acceptor, ListenOptions options,
            StreamAcceptor.Service service) throws IOException {
        super(loops.get(0), acceptor.handle(), null);
        this.acceptor = acceptor;
        this.local = acceptor.localAddress();
        this.listening = new StreamAcceptor(this, loops, options, service);
    }

    /** As {@link #listen(Proactor, SocketAddress, ListenOptions, Supplier)}, with the options' defaults. */
    public static AsyncAcceptor listen(Proactor proactor, SocketAddress address,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return listen(proactor, address, new ListenOptions(), factory);
    }

    /**
     * Listens on an address, and accepts connections until it is closed. The proactor owns it, and closes it when the
     * proactor stops. While descriptors or memory are lacking, accepting is repeated after 100 ms, and that is logged
     * once; at the limit of the registry, further clients wait in the backlog.
     *
     * @param proactor the proactor that calls the hooks
     * @param address  the local address; port 0 lets the system choose
     * @param options  the options of the listening socket
     * @param factory  makes a handler for each connection, which may be the same one; called where the hooks of the
     *                 connection are called. If it throws or returns null, that connection is closed, which is logged.
     * @return the acceptor
     * @throws IOException           if the system refuses
     * @throws IllegalStateException if the proactor is closed
     */
    public static AsyncAcceptor listen(Proactor proactor, SocketAddress address, ListenOptions options,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return listen(List.of(proactor), options.open(address), options, factory);
    }

    /** As {@link #listen(ProactorGroup, SocketAddress, ListenOptions, Supplier)}, with the options' defaults. */
    public static AsyncAcceptor listen(ProactorGroup group, SocketAddress address,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return listen(group, address, new ListenOptions(), factory);
    }

    /**
     * Listens as {@link #listen(Proactor, SocketAddress, ListenOptions, Supplier)}, and hands the connections out to
     * the proactors of a group, as the {@linkplain ListenOptions#distribution(dev.sluice.connection.Distribution)
     * distribution} says. Proactors that have failed are left out. The first one that is open accepts.
     */
    public static AsyncAcceptor listen(ProactorGroup group, SocketAddress address, ListenOptions options,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return listen(group.loops(), options.open(address), options, factory);
    }

    /**
     * Listens as {@link #listen(ProactorGroup, SocketAddress, ListenOptions, Supplier)} on a socket that the program
     * has opened.
     *
     * @param loops   the loops that call the hooks, at least one; the first one that is open accepts
     * @param socket  the listening socket; owned by the acceptor from now on, and closed if this throws
     * @param options the options; those of the listening socket are not set again
     * @param factory makes a handler for each connection
     * @return the acceptor
     * @throws IOException           if the system refuses
     * @throws IllegalStateException if all loops are closed
     */
    public static AsyncAcceptor listen(List<Proactor> loops, SocketAcceptor socket, ListenOptions options,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return open(loops, socket, options, () -> StreamAcceptor.Service.ofHandlers(factory));
    }

    /**
     * Listens as {@link #listen(List, SocketAcceptor, ListenOptions, Supplier)}, for a program that starts single
     * operations on its connections. Each has a place in the registry until its socket is closed, but is not one of the
     * connections that the registry lists, sends to and ends.
     *
     * @param starter gets each connection, and owns it from then on: a stream for futures, or with
     *                {@link AsyncStream#withHandler} for a handler. Called by a thread that runs the proactor of the
     *                stream. If it throws, that connection is closed, which is logged. Where several threads run the
     *                proactor, the first completion may come before this returns: start the first operation last.
     */
    public static AsyncAcceptor listen(List<Proactor> loops, SocketAcceptor socket, ListenOptions options,
            Consumer<? super AsyncStream> starter) throws IOException {
        return open(loops, socket, options, () -> StreamAcceptor.Service.ofOperations(starter));
    }

    private static AsyncAcceptor open(List<Proactor> loops, SocketAcceptor socket, ListenOptions options,
            Supplier<StreamAcceptor.Service> service) throws IOException {
        try {
            List<Proactor> open = loops.stream().filter(Proactor::isOpen).toList();
            if (loops.isEmpty()) {
                throw new IllegalArgumentException("listen: no loop to hand connections to");
            } else if (open.isEmpty()) {
                throw new IllegalStateException("listen: " + loops.get(0) + " is closed; open another loop");
            }
            AsyncAcceptor acceptor = new AsyncAcceptor(open, socket, options, service.get());
            acceptor.listening("listen").open();
            return acceptor;
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    @Override
    void requireSingleOperations() {
        if (listening != null) {
            throw new IllegalStateException("this acceptor accepts by itself; use new AsyncAcceptor(...) for single"
                    + " operations: " + this);
        }
    }

    private StreamAcceptor listening(String method) {
        if (listening == null) {
            throw new IllegalStateException(method + ": single operations are started on this acceptor; use"
                    + " AsyncAcceptor.listen: " + this);
        }
        return listening;
    }

    /** {@return the local address, with the port that the system has chosen} */
    public SocketAddress localAddress() {
        listening("localAddress");
        assert local != null;
        return local;
    }

    /** {@return the registry of its connections} */
    public Connections connections() {
        return listening("connections").connections();
    }

    /** {@return the ticket of what accepts from now on} */
    long begin(StreamAcceptor by) {
        long ticket = claim(by, null);
        claimed(ticket).acceptContinuously(association(), acceptor);
        return ticket;
    }

    /** {@return the ticket of what waits for a client} */
    long beginToWait(StreamAcceptor by) {
        long ticket = claim(by, null);
        claimed(ticket).poll(association(), EventType.of(Interest.READ));
        return ticket;
    }

    /** {@return the acceptor} */
    public SocketAcceptor acceptor() {
        return acceptor;
    }

    /**
     * Accepts one connection.
     *
     * @param token for the completion; may be null
     * @return the ticket
     */
    public long accept(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).accept(association(), acceptor);
        return ticket;
    }

    /** {@return completes with the connection, which the caller owns; see {@link #accept(Object)}} */
    @CheckReturnValue
    public CompletableFuture<SocketStream> acceptFuture() {
        OperationFuture<SocketStream> future = new OperationFuture<>(proactor(), this::cancel, Completion::stream);
        claimFor(future).accept(association(), acceptor);
        return future;
    }

    /**
     * Accepts connections until it is cancelled or fails, which is the last completion.
     *
     * @param token for the completion; may be null
     * @return the ticket
     */
    public long acceptContinuously(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).acceptContinuously(association(), acceptor);
        return ticket;
    }
}

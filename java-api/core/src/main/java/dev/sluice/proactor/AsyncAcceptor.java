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
 * Accepts connections asynchronously: the Acceptor-Connector pattern's Acceptor on a proactor. An acceptor that is
 * created by {@link #listen} accepts by itself, for one or several proactors, and passes each connection to a
 * {@link StreamHandler}, or to a program that starts individual operations on it. One that is created by a constructor
 * is for a program that starts individual operations to accept. There a failure such as {@code EMFILE} leaves the
 * connection in the backlog, and an operation that is started immediately again may fail immediately.
 */
public final class AsyncAcceptor extends AsyncHandle {

    private final SocketAcceptor acceptor;
    /** Accepts connections; null if the program starts individual operations. */
    private final @Nullable StreamAcceptor listening;
    /** The local address; null if the program starts individual operations. */
    private final @Nullable SocketAddress local;

    /**
     * Creates an acceptor for individual operations.
     *
     * @param proactor the proactor that calls the handler
     * @param acceptor the listening socket; still owned by the caller
     * @param handler  receives the completions
     * @throws IOException           if the socket or the proactor is closed, or a system call fails
     * @throws IllegalStateException if there is already an {@code AsyncAcceptor} of this proactor for the socket
     */
    public AsyncAcceptor(Proactor proactor, SocketAcceptor acceptor, CompletionHandler handler) throws IOException {
        super(proactor, acceptor.handle(), Objects.requireNonNull(handler, "handler"));
        this.acceptor = acceptor;
        this.listening = null;
        this.local = null;
    }

    /** As {@link #AsyncAcceptor(Proactor, SocketAcceptor, CompletionHandler)}, for operations that return futures. */
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

    /** As {@link #listen(Proactor, SocketAddress, ListenOptions, Supplier)}, with default options. */
    public static AsyncAcceptor listen(Proactor proactor, SocketAddress address,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return listen(proactor, address, new ListenOptions(), factory);
    }

    /**
     * Listens on an address, and accepts connections until it is closed. The proactor owns the acceptor, and closes it
     * when the proactor stops. If descriptors or memory are lacking, accepting is repeated after 100 ms, which is
     * logged once; at the limit of the registry, further clients wait in the backlog.
     *
     * @param proactor the proactor that calls the hooks
     * @param address  the local address; port 0 lets the system choose
     * @param options  the options of the listening socket
     * @param factory  returns the handler of each connection, which may be shared; called on the thread that calls the
     *                 hooks of the connection. If it throws or returns null, the connection is closed, which is logged.
     * @return the acceptor
     * @throws IOException           if a system call fails
     * @throws IllegalStateException if the proactor is closed
     */
    public static AsyncAcceptor listen(Proactor proactor, SocketAddress address, ListenOptions options,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return listen(List.of(proactor), options.open(address), options, factory);
    }

    /** As {@link #listen(ProactorGroup, SocketAddress, ListenOptions, Supplier)}, with default options. */
    public static AsyncAcceptor listen(ProactorGroup group, SocketAddress address,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return listen(group, address, new ListenOptions(), factory);
    }

    /**
     * Listens as {@link #listen(Proactor, SocketAddress, ListenOptions, Supplier)} does, and distributes the
     * connections among the proactors of a group, by the {@linkplain
     * ListenOptions#distribution(dev.sluice.connection.Distribution) strategy} of the options, except those that have
     * failed. The first one that is open accepts.
     */
    public static AsyncAcceptor listen(ProactorGroup group, SocketAddress address, ListenOptions options,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return listen(group.loops(), options.open(address), options, factory);
    }

    /**
     * Listens as {@link #listen(ProactorGroup, SocketAddress, ListenOptions, Supplier)} does, on a socket that the
     * program has opened.
     *
     * @param loops   the loops that call the hooks, at least one; the first one that is open accepts
     * @param socket  the listening socket; owned by the acceptor from now on, and closed if this throws
     * @param options the options; socket options of the listening socket are not set again
     * @param factory returns the handler of each connection
     * @return the acceptor
     * @throws IOException           if a system call fails
     * @throws IllegalStateException if all loops are closed
     */
    public static AsyncAcceptor listen(List<Proactor> loops, SocketAcceptor socket, ListenOptions options,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return open(loops, socket, options, () -> StreamAcceptor.Service.ofHandlers(factory));
    }

    /**
     * Listens as {@link #listen(List, SocketAcceptor, ListenOptions, Supplier)} does, for a program that starts
     * individual operations on its connections. Each has a place in the registry until its socket is closed, but the
     * registry does not list it, send to it or end it.
     *
     * @param starter receives each connection, which it owns from then on: a stream for futures, or with
     *                {@link AsyncStream#withHandler} for a handler. Called by a thread that runs the proactor of the
     *                stream. If it throws, the connection is closed, which is logged. If several threads run the
     *                proactor, the first completion may occur before this returns, so it should start the first
     *                operation last.
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
            throw new IllegalStateException("this acceptor accepts by itself; use new AsyncAcceptor(...) for"
                    + " individual operations: " + this);
        }
    }

    private StreamAcceptor listening(String method) {
        if (listening == null) {
            throw new IllegalStateException(method + ": this acceptor is for individual operations; use"
                    + " AsyncAcceptor.listen: " + this);
        }
        return listening;
    }

    /** {@return the local address, with the port that the system has chosen if it was 0} */
    public SocketAddress localAddress() {
        listening("localAddress");
        assert local != null;
        return local;
    }

    /** {@return the registry of its connections} */
    public Connections connections() {
        return listening("connections").connections();
    }

    /** Starts accepting continuously. Returns the ticket. */
    long begin(StreamAcceptor by) {
        long ticket = claim(by, null);
        claimed(ticket).acceptContinuously(association(), acceptor);
        return ticket;
    }

    /** Starts waiting for a client. Returns the ticket. */
    long beginToWait(StreamAcceptor by) {
        long ticket = claim(by, null);
        claimed(ticket).poll(association(), EventType.of(Interest.READ));
        return ticket;
    }

    /** {@return the listening socket} */
    public SocketAcceptor acceptor() {
        return acceptor;
    }

    /**
     * Accepts one connection.
     *
     * @param token the token of the completion; may be null
     * @return the ticket
     */
    public long accept(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).accept(association(), acceptor);
        return ticket;
    }

    /** {@return a future of the connection, which the caller owns; see {@link #accept(Object)}} */
    @CheckReturnValue
    public CompletableFuture<SocketStream> acceptFuture() {
        OperationFuture<SocketStream> future = new OperationFuture<>(proactor(), this::cancel, Completion::stream);
        claimFor(future).accept(association(), acceptor);
        return future;
    }

    /**
     * Accepts connections until a cancellation or failure, which is the last completion.
     *
     * @param token the token of the completion; may be null
     * @return the ticket
     */
    public long acceptContinuously(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).acceptContinuously(association(), acceptor);
        return ticket;
    }
}

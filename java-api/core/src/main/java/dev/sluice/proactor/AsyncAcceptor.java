package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.connection.Connections;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections asynchronously. One of {@link #listen} accepts by itself, and gives each connection a {@link
 * StreamHandler}. One of a constructor is for a program that starts single operations: a failure such as
 * {@code EMFILE} leaves the connection in the backlog, and starting again at once may fail at once.
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
     * @param handler  its {@link CompletionHandler#handleAccept} is called
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
            Supplier<? extends StreamHandler> factory) throws IOException {
        super(loops.get(0), acceptor.handle(), null);
        this.acceptor = acceptor;
        this.local = acceptor.localAddress();
        this.listening = new StreamAcceptor(this, loops, options, factory);
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
     * @param proactor where the hooks are called
     * @param address  the local address; port 0 lets the system choose
     * @param options  how to listen
     * @param factory  makes a handler for each connection, which may be the same one; called where the hooks of the
     *                 connection are called. If it throws or returns null, that connection is closed, which is logged.
     * @return the acceptor
     * @throws IOException           if the system refuses
     * @throws IllegalStateException if the proactor is closed
     */
    public static AsyncAcceptor listen(Proactor proactor, SocketAddress address, ListenOptions options,
            Supplier<? extends StreamHandler> factory) throws IOException {
        return listen(List.of(proactor), address, options, factory);
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
        return listen(group.loops(), address, options, factory);
    }

    private static AsyncAcceptor listen(List<Proactor> loops, SocketAddress address, ListenOptions options,
            Supplier<? extends StreamHandler> factory) throws IOException {
        Objects.requireNonNull(factory, "factory");
        List<Proactor> open = loops.stream().filter(Proactor::isOpen).toList();
        if (open.isEmpty()) {
            throw new IllegalStateException("listen: " + loops.get(0) + " is closed; open another loop");
        }
        SocketAcceptor socket = options.open(address);
        try {
            AsyncAcceptor acceptor = new AsyncAcceptor(open, socket, options, factory);
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

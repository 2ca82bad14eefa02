package dev.sluice.connection;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Options of an acceptor. Not thread-safe; may be used for several acceptors. */
public final class ListenOptions {

    /** Names of the options that are set on each accepted connection; all others are set on the listening socket. */
    private static final Set<String> OF_STREAMS = Stream.of(NativeSocketOptions.SO_KEEPALIVE,
            NativeSocketOptions.SO_OOBINLINE, NativeSocketOptions.SO_LINGER, NativeSocketOptions.IP_TOS,
            NativeSocketOptions.IP_TTL, NativeSocketOptions.IPV6_TCLASS, NativeSocketOptions.TCP_NODELAY,
            NativeSocketOptions.TCP_CORK, NativeSocketOptions.TCP_QUICKACK, NativeSocketOptions.TCP_KEEPIDLE,
            NativeSocketOptions.TCP_KEEPINTVL, NativeSocketOptions.TCP_KEEPCNT, NativeSocketOptions.TCP_USER_TIMEOUT)
            .map(SocketOption::name).collect(Collectors.toUnmodifiableSet());

    private int backlog = SocketAcceptor.DEFAULT_BACKLOG;
    private @Nullable Connections connections;
    private @Nullable Distribution distribution;
    private Predicate<? super SocketStream> filter = stream -> true;
    private @Nullable Consumer<? super SocketStream> refusal;
    private Consumer<? super Throwable> failureHook = cause -> { };
    private final Map<SocketOption<?>, Object> ofListener = new LinkedHashMap<>();
    private final Map<SocketOption<?>, Object> ofStreams = new LinkedHashMap<>();

    /** Creates default options. */
    public ListenOptions() {
    }

    /**
     * Sets the maximum number of connections that wait to be accepted. The default is
     * {@link SocketAcceptor#DEFAULT_BACKLOG}.
     *
     * @param pending the maximum number, at least 1; the system reduces it to its own limit
     * @return these options
     */
    public ListenOptions backlog(int pending) {
        if (pending < 1) {
            throw new IllegalArgumentException("backlog: " + pending);
        }
        backlog = pending;
        return this;
    }

    /**
     * Sets the registry of the connections. By default, each acceptor has one of its own, without a limit.
     *
     * @param registry the registry, which may be shared with other acceptors
     * @return these options
     */
    public ListenOptions connections(Connections registry) {
        connections = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /**
     * Sets the strategy that distributes connections among the loops of a group. The default is
     * {@linkplain Distribution#roundRobin() round-robin}.
     *
     * @param strategy the strategy, which only one acceptor may use
     * @return these options
     */
    public ListenOptions distribution(Distribution strategy) {
        distribution = Objects.requireNonNull(strategy, "strategy");
        return this;
    }

    /**
     * Sets a filter for connections. Connections that it does not admit are closed as soon as they have been accepted.
     * By default, all are admitted.
     *
     * @param admits called with each accepted connection within the limit, by the thread that accepts; if it throws,
     *               the connection is closed and the exception is logged
     * @return these options
     */
    public ListenOptions filter(Predicate<? super SocketStream> admits) {
        filter = Objects.requireNonNull(admits, "admits");
        return this;
    }

    /**
     * Rejects clients beyond the {@linkplain Connections#limit limit} of the registry: each connection is accepted,
     * passed to a hook, which may send a reason, and closed. By default, they wait in the backlog.
     *
     * @param hook called with each such connection, by the thread that accepts; must not block. Its exceptions are
     *             logged
     * @return these options
     */
    public ListenOptions onRefusal(Consumer<? super SocketStream> hook) {
        refusal = Objects.requireNonNull(hook, "hook");
        return this;
    }

    /**
     * Sets a hook for an error of the listening socket itself, which ends accepting. The error has already been logged
     * then. Errors of one connection, and temporary ones such as a lack of descriptors, do not end accepting.
     *
     * @param hook called once with the error, by the thread that accepts, before the acceptor is closed
     * @return these options
     */
    public ListenOptions onFailure(Consumer<? super Throwable> hook) {
        failureHook = Objects.requireNonNull(hook, "hook");
        return this;
    }

    /**
     * Sets a socket option. Options of connections, such as {@code TCP_NODELAY}, are set on each accepted connection,
     * all others on the listening socket, before it is bound.
     *
     * @param option one of {@link NativeSocketOptions} or of {@link java.net.StandardSocketOptions}
     * @param value  its value
     * @param <T>    the type of the value
     * @return these options
     */
    public <T> ListenOptions option(SocketOption<T> option, T value) {
        (OF_STREAMS.contains(option.name()) ? ofStreams : ofListener)
                .put(option, Objects.requireNonNull(value, option.name()));
        return this;
    }

    /**
     * Allows several sockets to listen on the address, such as those of several processes; the kernel distributes
     * connections among them.
     *
     * @return these options
     */
    public ListenOptions reusePort() {
        return option(NativeSocketOptions.SO_REUSEPORT, true);
    }

    /** {@return the registry of the connections; if none is set, a new one for each call} */
    public Connections connections() {
        return connections == null ? new Connections() : connections;
    }

    /** {@return the distribution of the connections; if none is set, a new one for each call} */
    public Distribution distribution() {
        return distribution == null ? Distribution.roundRobin() : distribution;
    }

    /**
     * Opens a listening socket with these options.
     *
     * @param address the local address
     * @return the socket; the caller closes it
     * @throws IOException as {@link SocketAcceptor#open(SocketAddress, int)}, or if the system rejects an option
     */
    @CheckReturnValue
    public SocketAcceptor open(SocketAddress address) throws IOException {
        SocketAcceptor acceptor = SocketAcceptor.unbound(address);
        try {
            for (Map.Entry<SocketOption<?>, Object> each : ofListener.entrySet()) {
                acceptor.setOption(untyped(each.getKey()), each.getValue());
            }
            return acceptor.bind(address, backlog);
        } catch (Throwable e) {
            acceptor.close();
            throw e;
        }
    }

    /**
     * {@return whether the filter admits a connection}
     *
     * @param stream the accepted connection
     */
    public boolean admits(SocketStream stream) {
        return filter.test(stream);
    }

    /** {@return the hook for connections beyond the limit; null if they wait in the backlog} */
    public @Nullable Consumer<? super SocketStream> refusal() {
        return refusal;
    }

    /**
     * Calls the hook for an error of the listening socket.
     *
     * @param cause the error
     */
    public void failed(Throwable cause) {
        failureHook.accept(cause);
    }

    /**
     * Sets the options of connections on an accepted connection.
     *
     * @param stream the connection
     * @throws IOException if the system rejects an option
     */
    public void applyTo(SocketStream stream) throws IOException {
        for (Map.Entry<SocketOption<?>, Object> each : ofStreams.entrySet()) {
            stream.setOption(untyped(each.getKey()), each.getValue());
        }
    }

    @SuppressWarnings("unchecked") // Each value has been stored with an option of its type.
    private static SocketOption<Object> untyped(SocketOption<?> option) {
        return (SocketOption<Object>) option;
    }
}

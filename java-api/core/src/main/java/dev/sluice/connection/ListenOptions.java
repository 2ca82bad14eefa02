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

/** How an acceptor listens, and where its connections go. For one thread; one object may serve several acceptors. */
public final class ListenOptions {

    /** By name, those that are set on each accepted connection; all others belong to the listening socket. */
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

    /** Begins with the defaults. */
    public ListenOptions() {
    }

    /**
     * Sets how many connections may wait to be accepted; {@link SocketAcceptor#DEFAULT_BACKLOG} unless set.
     *
     * @param pending the maximum number, at least 1; the system reduces it to its own limit
     * @return this
     */
    public ListenOptions backlog(int pending) {
        if (pending < 1) {
            throw new IllegalArgumentException("backlog: " + pending);
        }
        backlog = pending;
        return this;
    }

    /**
     * Sets what registers the connections; unless set, each acceptor has one of its own, without a limit.
     *
     * @param registry may be that of other acceptors, too
     * @return this
     */
    public ListenOptions connections(Connections registry) {
        connections = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /**
     * Sets how connections are handed out to the loops of a group; {@linkplain Distribution#roundRobin() one after the
     * other} unless set.
     *
     * @param strategy of one acceptor alone
     * @return this
     */
    public ListenOptions distribution(Distribution strategy) {
        distribution = Objects.requireNonNull(strategy, "strategy");
        return this;
    }

    /**
     * Sets which connections are served; all of them unless set. One that is not is closed as soon as it has been
     * accepted.
     *
     * @param admits called with each accepted connection that there is a place for, by the thread that accepts; if it
     *               throws, that connection is closed, which is logged
     * @return this
     */
    public ListenOptions filter(Predicate<? super SocketStream> admits) {
        filter = Objects.requireNonNull(admits, "admits");
        return this;
    }

    /**
     * Refuses the clients that come at the {@linkplain Connections#limit limit} of the registry: each is accepted,
     * given to a hook, which may send why, and closed. Unless set, they wait in the backlog.
     *
     * @param hook called with each such connection, by the thread that accepts; must not block. What it throws is
     *             logged.
     * @return this
     */
    public ListenOptions onRefusal(Consumer<? super SocketStream> hook) {
        refusal = Objects.requireNonNull(hook, "hook");
        return this;
    }

    /**
     * Sets what is called when an error of the listening socket itself ends accepting, after that has been logged. What
     * concerns one connection, or passes, such as a lack of descriptors, is no such error.
     *
     * @param hook called with the error, once, by the thread that accepts; the acceptor is closed when it returns
     * @return this
     */
    public ListenOptions onFailure(Consumer<? super Throwable> hook) {
        failureHook = Objects.requireNonNull(hook, "hook");
        return this;
    }

    /**
     * Sets a socket option. Those of connections, such as {@code TCP_NODELAY}, are set on each accepted one, all others
     * on the listening socket, before it is bound.
     *
     * @param option one of {@link NativeSocketOptions} or of {@link java.net.StandardSocketOptions}
     * @param value  its value
     * @param <T>    the type of the value
     * @return this
     */
    public <T> ListenOptions option(SocketOption<T> option, T value) {
        (OF_STREAMS.contains(option.name()) ? ofStreams : ofListener)
                .put(option, Objects.requireNonNull(value, option.name()));
        return this;
    }

    /**
     * Lets several sockets listen on the address, as those of several processes; the kernel spreads connections over
     * them.
     *
     * @return this
     */
    public ListenOptions reusePort() {
        return option(NativeSocketOptions.SO_REUSEPORT, true);
    }

    /** {@return what registers the connections: what was set, otherwise a new one for each call} */
    public Connections connections() {
        return connections == null ? new Connections() : connections;
    }

    /** {@return how connections are handed out: what was set, otherwise a new one for each call} */
    public Distribution distribution() {
        return distribution == null ? Distribution.roundRobin() : distribution;
    }

    /**
     * Opens a listening socket with these options.
     *
     * @param address the local address
     * @return the socket; the caller closes it
     * @throws IOException as {@link SocketAcceptor#open(SocketAddress, int)}, or if the system refuses an option
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
     * {@return whether a connection is to be served: what the filter says}
     *
     * @param stream has been accepted
     */
    public boolean admits(SocketStream stream) {
        return filter.test(stream);
    }

    /** {@return what refuses clients at the limit; null if they wait in the backlog} */
    public @Nullable Consumer<? super SocketStream> refusal() {
        return refusal;
    }

    /**
     * Calls what {@link #onFailure} has set.
     *
     * @param cause has ended accepting
     */
    public void failed(Throwable cause) {
        failureHook.accept(cause);
    }

    /**
     * Sets the options of connections on one that has been accepted.
     *
     * @param stream the connection
     * @throws IOException if the system refuses one of them
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

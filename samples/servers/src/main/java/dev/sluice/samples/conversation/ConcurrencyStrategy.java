package dev.sluice.samples.conversation;

import dev.sluice.connection.Connections;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.samples.server.VirtualThreads;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** How threads share the work of a server: the JAWS paper's concurrency strategy. */
public enum ConcurrencyStrategy {
    /** Each thread waits for its own connections, and serves them. */
    REACTOR_PER_THREAD(Waits.IN_REACTOR, Threads.LOOPS) {
        @Override
        ConnectionThreads open(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop) {
            return new ReactorPerThread(threads);
        }
    },
    /** Threads take turns waiting for all connections, or all wait on a concurrent handle set. */
    LEADER_FOLLOWERS(Waits.IN_REACTOR, Threads.POOL) {
        @Override
        ConnectionThreads open(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop)
                throws IOException {
            LeaderFollowersThreads followers = new LeaderFollowersThreads(protocol.pool(), options.demultiplexer(),
                    threads, protocol.longestWaitInPool(), stop::fail);
            try {
                if (followers.pool() != null) {
                    protocol.servedBy(followers.pool());
                }
                return followers;
            } catch (Throwable e) {
                followers.close();
                throw e;
            }
        }
    },
    /** One thread waits for all connections, and queues those that are ready for worker threads. */
    HALF_SYNC_HALF_ASYNC(Waits.IN_REACTOR, Threads.POOL) {
        @Override
        ConnectionThreads open(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop) {
            return new HalfSyncHalfAsync(threads);
        }
    },
    /** Each thread accepts a connection, serves it to its end, and accepts the next one. */
    THREAD_POOL(Waits.IN_KERNEL, Threads.HELD_POOL) {
        @Override
        ConnectionThreads open(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop) {
            return new ThreadPool(threads, stop::fail);
        }
    },
    /** Each connection has a platform thread, which waits for it in the kernel. */
    THREAD_PER_CONNECTION(Waits.IN_KERNEL, Threads.UNBOUNDED) {
        @Override
        ConnectionThreads open(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop) {
            return ThreadPerConnection.ofPlatformThreads();
        }
    },
    /** Each connection has a virtual thread, which waits in Java until a reactor has found it ready. */
    VIRTUAL_THREAD_PER_CONNECTION(Waits.IN_REACTOR, Threads.UNBOUNDED) {
        @Override
        ConnectionThreads open(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop) {
            return ThreadPerConnection.ofVirtualThreads();
        }

        @Override
        public String unavailable() {
            return VirtualThreads.unavailable();
        }
    },
    /** One thread waits for all connections; each request gets a platform thread. */
    THREAD_PER_REQUEST(Waits.IN_REACTOR, Threads.UNBOUNDED) {
        @Override
        ConnectionThreads open(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop) {
            return ThreadPerRequest.ofPlatformThreads();
        }

        @Override
        public boolean endsThreads() {
            return true;
        }
    },
    /** One thread waits for all connections; each request gets a virtual thread. */
    VIRTUAL_THREAD_PER_REQUEST(Waits.IN_REACTOR, Threads.UNBOUNDED) {
        @Override
        ConnectionThreads open(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop) {
            return ThreadPerRequest.ofVirtualThreads();
        }

        @Override
        public String unavailable() {
            return VirtualThreads.unavailable();
        }
    },
    /** Each thread has a proactor for its own connections. */
    PROACTOR_PER_THREAD(Waits.IN_PROACTOR, Threads.LOOPS) {
        @Override
        public void serve(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop)
                throws IOException, InterruptedException {
            serveByProactors(protocol, options, threads, 1, stop);
        }

        @Override
        void serveGiven(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop,
                Arrivals arrivals) throws IOException, InterruptedException {
            serveGivenByProactors(protocol, options, threads, 1, stop, arrivals);
        }
    },
    /** Several threads run one proactor, and each dispatches any completion. */
    CONCURRENT_PROACTOR(Waits.IN_PROACTOR, Threads.POOL) {
        @Override
        public void serve(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop)
                throws IOException, InterruptedException {
            serveByProactors(protocol, options, 1, threads, stop);
        }

        @Override
        void serveGiven(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop,
                Arrivals arrivals) throws IOException, InterruptedException {
            serveGivenByProactors(protocol, options, 1, threads, stop, arrivals);
        }

        @Override
        public boolean isConcurrent() {
            return true;
        }
    };

    /** How a server waits: the JAWS paper's I/O strategy. */
    public enum Waits {
        /** Each thread waits for its own socket: synchronous. */
        IN_KERNEL,
        /** A thread waits until sockets are ready: reactive. */
        IN_REACTOR,
        /** A thread waits until operations complete: proactive. */
        IN_PROACTOR
    }

    /**
     * The default number of threads of a pool whose threads spend their time waiting: for the client that occupies one,
     * or for the disk. It does not depend on the number of processors.
     */
    public static final int WAITING_POOL = 16;

    /** The meaning of the number of threads. */
    private enum Threads {
        LOOPS("each thread has an event loop with connections of its own"),
        POOL(null),
        HELD_POOL(null),
        UNBOUNDED("the number of threads depends on the clients");

        private final String fixed;

        Threads(String fixed) {
            this.fixed = fixed;
        }
    }

    private final Waits waits;
    private final Threads threads;

    ConcurrencyStrategy(Waits waits, Threads threads) {
        this.waits = waits;
        this.threads = threads;
    }

    /** {@return the name on command lines, such as {@code leader-followers}} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return how it waits} */
    public Waits waits() {
        return waits;
    }

    /** {@return the mode of its demultiplexer} */
    public Mode mode() {
        return waits == Waits.IN_PROACTOR ? Mode.ASYNCHRONOUS : Mode.SYNCHRONOUS;
    }

    /** {@return whether it needs a demultiplexer that several threads can use concurrently} */
    public boolean isConcurrent() {
        return false;
    }

    /** {@return whether platform threads end while their connections stay open} */
    public boolean endsThreads() {
        return false;
    }

    /** {@return the reason why it cannot be used here, null if it can} */
    public String unavailable() {
        return null;
    }

    /**
     * {@return the default number of threads; 0 if the number cannot be chosen because there is one for each client}
     */
    public int defaultThreads() {
        return switch (threads) {
            case LOOPS, POOL -> Runtime.getRuntime().availableProcessors();
            case HELD_POOL -> WAITING_POOL;
            case UNBOUNDED -> 0;
        };
    }

    /** {@return whether a client holds a thread as long as it is connected, of a number that is chosen} */
    public boolean isHeldByClients() {
        return threads == Threads.HELD_POOL;
    }

    /** {@return the reason why the number of threads of a running server cannot change; null if it can} */
    public String fixedThreads() {
        return threads.fixed;
    }

    /**
     * Opens the threads.
     *
     * @param protocol is given the pool that serves it
     * @param threads  the number of threads, if the number can be chosen
     * @param stop     notified of the failure of a thread
     */
    ConnectionThreads open(ServedProtocol protocol, ServerOptions options, int threads, StopRequest stop)
            throws IOException {
        throw new UnsupportedOperationException(this + " has no connections to wait for");
    }

    /**
     * Serves until a stop is requested.
     *
     * @param protocol the protocol
     * @param options  the address to listen on, and the demultiplexer
     * @param count    the number of threads, for those strategies that have a {@linkplain #defaultThreads() choice}
     * @param stop     notified of the failure of a thread, or of another part that the protocol depends on
     * @throws IOException          if it cannot listen, or a thread fails
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(ServedProtocol protocol, ServerOptions options, int count, StopRequest stop)
            throws IOException, InterruptedException {
        try (ConnectionThreads served = open(protocol, options, count, stop);
                EventLoopServer<Reactor> server = new EventLoopServer<>(protocol.name(),
                        threads == Threads.LOOPS ? count : 1, options::openReactor, stop);
                SocketAcceptor socket = protocol.listen(options)) {
            SocketAddress address = socket.localAddress();
            String demultiplexer = served.demultiplexer(server.loops().get(0).demultiplexer());
            ConnectionLimit limit = protocol.limit();
            limit.count(server::connectionCount);
            served.accept(socket, server.loops(), new ListenOptions().onFailure(stop::fail),
                    protocol.conversations(server, served).within(limit), server::connections);
            try {
                server.serve(List.of(socket), () -> options.announce(protocol.name(), address, demultiplexer));
            } finally {
                protocol.abandon();
            }
        }
    }

    /**
     * Serves connections that are given, and those that arrive, until the process is asked to stop.
     *
     * @param protocol what is served
     * @param options  say with which demultiplexer
     * @param count    as for {@link #serve}
     * @param stop     ends it
     * @param arrivals what it accepts
     */
    void serveGiven(ServedProtocol protocol, ServerOptions options, int count, StopRequest stop, Arrivals arrivals)
            throws IOException, InterruptedException {
        try (SocketAcceptor listening = arrivals.socket(); ConnectionThreads served = open(protocol, options, count,
                stop); EventLoopServer<Reactor> server = new EventLoopServer<>(protocol.name(),
                        threads == Threads.LOOPS ? count : 1, options::openReactor, stop)) {
            Consumer<SocketStream> taker = served.take(arrivals, server.loops(),
                    protocol.conversations(server, served), server::connections);
            try {
                server.serve(listening == null ? List.of() : List.of(listening),
                        () -> arrivals.begun().accept(new GivenConnections(taker, next -> {
                            server.move(next);
                            served.move(next);
                        }, () -> server.connectionCount() + served.waiting())));
            } finally {
                protocol.abandon();
            }
        }
    }

    /**
     * Serves as {@link #serveGiven} does. The registry has a limit, however large, because its acceptor then waits for
     * a client and calls accept. A continuous accept would lose a connection that the system accepts while the
     * listening socket is closed.
     */
    static void serveGivenByProactors(ServedProtocol protocol, ServerOptions options, int count, int shared,
            StopRequest stop, Arrivals arrivals) throws IOException, InterruptedException {
        try (SocketAcceptor listening = arrivals.socket(); EventLoopServer<Proactor> server = new EventLoopServer<>(
                protocol.name(), count, shared, options::openProactor, stop)) {
            Consumer<AsyncStream> service = protocol.services(server);
            if (listening != null) {
                Connections limited = new Connections().limit(Integer.MAX_VALUE - 1);
                AsyncAcceptor.listen(server.loops(), listening, arrivals.options().connections(limited), service);
            }
            Iterator<Proactor> roundRobin = Stream.generate(server::loops).flatMap(List::stream).iterator();
            server.serve(listening == null ? List.of() : List.of(listening),
                    () -> arrivals.begun().accept(new GivenConnections(
                            stream -> begin(stream, roundRobin.next(), service), server::move,
                            server::connectionCount)));
        }
    }

    private static void begin(SocketStream stream, Proactor proactor, Consumer<AsyncStream> service) {
        proactor.execute(() -> {
            try {
                service.accept(new AsyncStream(proactor, stream));
            } catch (IOException | RuntimeException | Error e) {
                Failures.log(stream, e);
                stream.close();
            }
        });
    }

    static void serveByProactors(ServedProtocol protocol, ServerOptions options, int count, int shared,
                                 StopRequest stop) throws IOException, InterruptedException {
        try (EventLoopServer<Proactor> server = new EventLoopServer<>(protocol.name(), count, shared,
                options::openProactor, stop);
                SocketAcceptor socket = protocol.listen(options)) {
            SocketAddress address = socket.localAddress();
            Proactor first = server.loops().get(0);
            ConnectionLimit limit = protocol.limit();
            limit.count(server::connectionCount);
            AsyncAcceptor.listen(server.loops(), socket,
                    new ListenOptions().filter(limit::admits).onFailure(stop::fail), protocol.services(server));
            server.serve(List.of(socket),
                    () -> options.announce(protocol.name(), address, first.demultiplexer()));
        }
    }
}

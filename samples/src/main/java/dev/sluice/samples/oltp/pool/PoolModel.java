package dev.sluice.samples.oltp.pool;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConversationFactory;
import dev.sluice.samples.conversation.HalfSyncHalfAsync;
import dev.sluice.samples.conversation.ReadyConnection;
import dev.sluice.samples.conversation.ThreadPerConnection;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ReadyLine;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.samples.server.VirtualThreads;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A concurrency model: which thread serves which connection. */
public enum PoolModel {
    /** Threads take turns waiting for all connections; who has found one ready serves it, and another one waits. */
    LEADER_FOLLOWERS {
        @Override
        public void serve(String server, ServerOptions options, int threads, ServiceFactory services, StopRequest stop)
                throws IOException, InterruptedException {
            try (LeaderFollowersThreads followers = new LeaderFollowersThreads(options.demultiplexer(), threads,
                    services.longestWaitInPool(), stop::fail)) {
                LeaderFollowersPool pool = followers.pool();
                services.servedBy(pool);
                serve(server, options, services, stop, connections -> followers.states(),
                        (conversations, connections) ->
                                new PooledConnection(conversations, connections, pool, followers.nesting()));
            }
        }
    },
    /** One thread waits for all connections, and serves them one after the other. */
    REACTOR {
        @Override
        public void serve(String server, ServerOptions options, int threads, ServiceFactory services, StopRequest stop)
                throws IOException, InterruptedException {
            serve(server, options, services, stop, connections -> PoolStates.threads(1),
                    (conversations, connections) -> new ReadyConnection(conversations, connections, Runnable::run));
        }
    },
    /** One thread waits for all connections, and queues those that are ready for worker threads. */
    HALF_SYNC {
        @Override
        public void serve(String server, ServerOptions options, int threads, ServiceFactory services, StopRequest stop)
                throws IOException, InterruptedException {
            try (HalfSyncHalfAsync workers = new HalfSyncHalfAsync(threads)) {
                serve(server, options, services, stop, connections -> states(workers), workers::handler);
            }
        }
    },
    /** Each connection has a platform thread of its own, which waits for it. */
    THREAD_PER_CONNECTION {
        @Override
        public void serve(String server, ServerOptions options, int threads, ServiceFactory services, StopRequest stop)
                throws IOException, InterruptedException {
            serveByThreads(server, options, ThreadPerConnection.ofPlatformThreads(), services, stop);
        }
    },
    /** Each connection has a virtual thread of its own; one platform thread waits for all of them. */
    VIRTUAL {
        @Override
        public void serve(String server, ServerOptions options, int threads, ServiceFactory services, StopRequest stop)
                throws IOException, InterruptedException {
            serveByThreads(server, options, ThreadPerConnection.ofVirtualThreads(), services, stop);
        }

        @Override
        public String unavailable() {
            return VirtualThreads.unavailable();
        }
    };

    /**
     * Serves until the process is asked to stop.
     *
     * @param server   the sample's name
     * @param options  where to listen, and with which demultiplexer
     * @param threads  the number of workers, for those models that have a fixed one
     * @param services makes a service for each connection
     * @param stop     told of the failure of whatever the services cannot do without
     * @throws IOException          if it cannot listen, or a thread fails that it cannot do without
     * @throws InterruptedException if the thread is interrupted
     */
    public abstract void serve(String server, ServerOptions options, int threads, ServiceFactory services,
                               StopRequest stop)
            throws IOException, InterruptedException;

    /** {@return why it cannot be used here, null if it can} */
    public String unavailable() {
        return null;
    }

    /** {@return the name on the command line} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Map<String, Object> states(HalfSyncHalfAsync workers) {
        Map<String, Object> states = PoolStates.threads(workers.threads());
        states.put("pool_queued", workers.queued());
        return states;
    }

    final void serveByThreads(String name, ServerOptions options, ThreadPerConnection threads, ServiceFactory services,
                              StopRequest stop) throws IOException, InterruptedException {
        try (threads) {
            serve(name, options, services, stop, connections -> PoolStates.threads(connections.count()),
                    threads::handler);
        }
    }

    final void serve(String name, ServerOptions options, ServiceFactory services, StopRequest stop,
                     Function<Connections, Map<String, Object>> states,
                     BiFunction<ConversationFactory, Connections, ServiceHandler> handlers)
            throws IOException, InterruptedException {
        try (EventLoopServer<Reactor> server = new EventLoopServer<>(name, 1,
                options::openReactor, stop);
                SocketAcceptor socket = listen(options)) {
            Reactor reactor = server.loops().get(0);
            Connections connections = server.connections(reactor);
            ServiceCounts counts = new ServiceCounts();
            PoolStates pool = () -> {
                Map<String, Object> all = new LinkedHashMap<>();
                all.put("pool", this);
                all.putAll(states.apply(connections));
                all.putAll(counts.states());
                all.put("connected_clients", connections.count());
                return all;
            };
            ConversationFactory conversations = stream ->
                    new ServiceConversation(stream, counts.counted(services.create(pool)));
            new Acceptor(reactor, socket, () -> handlers.apply(conversations, connections)).open();
            SocketAddress address = socket.localAddress();
            server.serve(List.of(socket), () -> ReadyLine.print(name, address, reactor.demultiplexer().name()));
        }
    }

    private static SocketAcceptor listen(ServerOptions options) throws IOException {
        SocketAcceptor socket = SocketAcceptor.open(options.address());
        try {
            // Inherited by the connections.
            socket.setOption(NativeSocketOptions.TCP_NODELAY, true);
            socket.setOption(NativeSocketOptions.SO_KEEPALIVE, true);
            return socket;
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }
}

package dev.sluice.samples.oltp.pool;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.ConnectionThreads;
import dev.sluice.samples.conversation.ConversationFactory;
import dev.sluice.samples.conversation.ServedProtocol;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Serves each connection by a service of its own, and tells what the threads are doing. */
public final class OltpProtocol implements ServedProtocol {

    private final String name;
    private final ConcurrencyStrategy concurrency;
    private final ServiceFactory services;
    private final ConnectionLimit limit;

    /**
     * Creates a protocol.
     *
     * @param name        the sample's
     * @param concurrency the threads that serve, for INFO
     * @param services    makes a service for each connection
     * @param limit       of the connections
     */
    public OltpProtocol(String name, ConcurrencyStrategy concurrency, ServiceFactory services,
                        ConnectionLimit limit) {
        this.name = name;
        this.concurrency = concurrency;
        this.services = services;
        this.limit = limit;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ConnectionLimit limit() {
        return limit;
    }

    @Override
    public SocketAcceptor listen(ServerOptions options) throws IOException {
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

    @Override
    public ConversationFactory conversations(EventLoopServer<Reactor> server, ConnectionThreads threads) {
        ServiceCounts counts = new ServiceCounts();
        PoolStates pool = () -> {
            int connections = server.connectionCount();
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("pool", concurrency);
            all.putAll(threads.states(connections));
            all.putAll(counts.states());
            all.put("connected_clients", connections);
            return all;
        };
        return (stream, reactor) -> new ServiceConversation(stream, counts.counted(services.create(pool)));
    }

    @Override
    public void abandon() {
        services.abandon();
    }

    @Override
    public Duration longestWaitInPool() {
        return services.longestWaitInPool();
    }

    @Override
    public void servedBy(LeaderFollowersPool pool) {
        services.servedBy(pool);
    }
}

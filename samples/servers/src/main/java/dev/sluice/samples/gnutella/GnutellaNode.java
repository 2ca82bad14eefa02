package dev.sluice.samples.gnutella;

import dev.sluice.proactor.Proactor;
import dev.sluice.samples.gnutella.CatcherEvent.HostFound;
import dev.sluice.stages.Admission;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import dev.sluice.stages.TokenBucket;
import dev.sluice.stages.io.AsyncServerSocket;
import dev.sluice.stages.io.Packet;
import dev.sluice.stages.io.SocketOptions;
import dev.sluice.stages.io.SocketStages;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A router: its stages, and their shared state. The caller runs its proactor. */
final class GnutellaNode {

    /**
     * The maximum number of connections that are neither neighbours nor maintained: they are in a handshake, or being
     * refused because there are too many neighbours.
     */
    static final int SPARE_CONNECTIONS = 32;
    /** Maximum number of packets, of at most 16 KiB, that wait for the server. */
    static final int SERVER_QUEUE = 128;

    private static final int CATCHER_QUEUE = 256;

    private final TrafficCounts counts = new TrafficCounts();
    private final StageGraph graph = new StageGraph("gnutella");
    private final Stage<Object> server;
    private final Stage<Object> catcher;
    private final AsyncServerSocket listener;
    private final OurAddress address;

    /**
     * Listens, and begins to route.
     *
     * @param settings the settings
     * @param proactor for its sockets and timers
     * @throws IOException if the system refuses the address
     */
    GnutellaNode(Settings settings, Proactor proactor) throws IOException {
        int connections = settings.neighbours() + settings.kept() + SPARE_CONNECTIONS;
        Peers peers = new Peers(connections, settings);
        HostCache hosts = new HostCache();
        SocketOptions options = new SocketOptions()
                .connections(connections)
                // So even if many neighbours flood it, only one packet of each is in memory.
                .receiveOnDemand(Packet.MAX_COPIED_BYTES)
                .outgoing(Outbox.MAX_PACKETS + 1, settings.outgoingBytes() + Outbox.FAREWELL_BYTES);
        if (settings.policy() == OverloadPolicy.RATE) {
            options.rate(settings.packetRate(), settings.packetRate());
        }
        SocketStages sockets = new SocketStages(graph, "gnutella", proactor, options);

        GnutellaServer serverHandler = new GnutellaServer(peers, hosts, counts, settings);
        server = graph.add(GnutellaServer.NAME, Object.class, serverHandler, options(SERVER_QUEUE, settings));
        // The queue as seen from outside, so that they deliver nothing new once the graph is stopping.
        serverHandler.setQueue(server.queue());
        listener = new AsyncServerSocket(sockets, settings.address(), server.queue());
        try {
            address = new OurAddress((InetSocketAddress) listener.localAddress());
            graph.add(GnutellaRouter.NAME, RouterEvent.class,
                    new GnutellaRouter(peers, counts, settings, address.port()), RouterOptions.of(settings));
            GnutellaCatcher catcherHandler =
                    new GnutellaCatcher(peers, hosts, settings, address, sockets, server.queue());
            catcher = graph.add(GnutellaCatcher.NAME, Object.class, catcherHandler,
                    options(CATCHER_QUEUE, settings).admission(new FewHosts()));
            catcherHandler.setQueue(catcher.queue());
            graph.start();
            catcher.queue().enqueue(Tick.TICK);
            proactor.schedule(token -> tick(), null, settings.interval(), settings.interval());
        } catch (Throwable e) {
            listener.close();
            graph.close();
            throw e;
        }
    }

    private static StageOptions<Object> options(int capacity, Settings settings) {
        StageOptions<Object> options = new StageOptions<>().capacity(capacity);
        return settings.timed() ? options.recordResponseTimes() : options;
    }

    private void tick() {
        server.queue().enqueue(Tick.TICK);
        catcher.queue().enqueue(Tick.TICK);
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.localAddress();
    }

    TrafficCounts counts() {
        return counts;
    }

    /** {@return its stages} */
    StageGraph graph() {
        return graph;
    }

    /** Stops accepting, and handles the accepted events. */
    StopReport stop(Duration grace) {
        listener.close();
        return graph.stop(grace);
    }

    /**
     * A peer that floods the network with pongs can neither keep the catcher busy nor cause it to try address after
     * address.
     */
    private static final class FewHosts implements Admission<Object> {

        private static final double PER_SECOND = 20;
        private static final int AT_ONCE = 100;

        private final TokenBucket<Object> bucket = new TokenBucket<>(PER_SECOND, AT_ONCE);

        @Override
        public boolean admit(Object event, int length) {
            return !(event instanceof HostFound) || length < CATCHER_QUEUE / 2 && bucket.admit(event, length);
        }
    }
}

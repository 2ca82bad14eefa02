package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.CatcherEvent.HostFound;
import dev.sluice.samples.gnutella.RouterEvent.Arrival;
import dev.sluice.samples.gnutella.RouterEvent.Discovery;
import dev.sluice.samples.gnutella.RouterEvent.PeerEnded;
import dev.sluice.samples.gnutella.message.Guid;
import dev.sluice.samples.gnutella.message.Message;
import dev.sluice.samples.gnutella.message.Messages;
import dev.sluice.samples.gnutella.routing.RouteTable;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The paper's GnutellaRouter: forwards broadcasts to all other neighbours, and replies along the reverse path of their
 * requests. Used by several threads.
 */
final class GnutellaRouter implements StageHandler<RouterEvent> {

    /** The name of the stage. */
    static final String NAME = "GnutellaRouter";

    /** Maximum of TTL and hops together, which limits how far a broadcast goes. */
    static final int MAX_HOPS = 7;

    private final Peers peers;
    private final TrafficCounts counts;
    private final int port;
    private final long queryDelay;
    private final boolean filtersQueries;
    private final boolean timed;
    private final long timeout;
    private final long longestWait;
    private final Routes routes = new Routes();
    private Stage<?> stage;
    private EventQueue<CatcherEvent> catcher;

    /**
     * Creates a router that knows no routes.
     *
     * @param peers    all connections
     * @param counts   of all stages
     * @param settings of the router
     * @param port     where others can connect to it
     */
    GnutellaRouter(Peers peers, TrafficCounts counts, Settings settings, int port) {
        this.peers = peers;
        this.counts = counts;
        this.port = port;
        queryDelay = settings.queryDelay().toMillis();
        filtersQueries = settings.policy() == OverloadPolicy.FILTER_QUERIES;
        timed = settings.timed();
        timeout = settings.timeout().toNanos();
        longestWait = Outbox.longestWait(settings.tolerance().toNanos());
    }

    @Override
    public void handleStart(StageContext context) {
        stage = context.stage();
        catcher = context.queue(GnutellaCatcher.NAME, CatcherEvent.class);
    }

    @Override
    public void handleEvents(EventBatch<RouterEvent> batch) {
        Departures departures = new Departures(peers, counts, timeout, longestWait);
        boolean withoutQueries = filtersQueries && stage.length() + batch.remaining() > stage.capacity() / 2;
        try {
            for (RouterEvent event = batch.next(); event != null; event = batch.next()) {
                if (withoutQueries && event instanceof Arrival arrival && arrival.isQuery()) {
                    counts.drop(DropReason.OVERLOAD);
                } else {
                    handle(event, departures);
                }
            }
        } finally {
            departures.flush();
        }
    }

    private void handle(RouterEvent event, Departures departures) {
        if (event instanceof Arrival arrival) {
            long begin = timed ? System.nanoTime() : 0;
            route(arrival, departures);
            if (timed) {
                counts.served(arrival.message().type(), System.nanoTime() - begin);
            }
        } else if (event instanceof Discovery discovery) {
            discover(discovery, departures);
        } else if (event instanceof PeerEnded ended) {
            departures.flush();
            departures.dismiss(ended.peer(), ByeReason.ITS_OWN);
        }
    }

    private void route(Arrival arrival, Departures departures) {
        Message message = arrival.message();
        switch (message.type()) {
            case PING -> ping(arrival.peer(), message, departures);
            case QUERY -> query(arrival, departures);
            case PONG -> pong(arrival.peer(), message, departures);
            case QUERY_HITS -> hits(arrival.peer(), message, departures);
            case PUSH -> sendBack(message, routes.servents().neighbour(message.servent()), arrival.peer(), departures);
            default -> throw new IllegalArgumentException("the router does not forward a " + message.type());
        }
    }

    // Broadcasts

    private void ping(Peer from, Message ping, Departures departures) {
        if (isNew(routes.pings(), ping, from)) {
            answer(from, ping, departures);
            broadcast(ping, from, departures);
        }
    }

    private void answer(Peer from, Message ping, Departures departures) {
        InetAddress address = from.ourAddress();
        if (address != null) {
            // As far as it has come.
            int ttl = Math.max(1, Math.min(ping.hops() + 1, MAX_HOPS));
            departures.send(Messages.pong(ping.guid(), ttl, address, port), from);
        }
    }

    private void query(Arrival query, Departures departures) {
        if (queryDelay > 0 && !sleepOnIt(departures)) {
            counts.drop(DropReason.TOO_LATE);
        } else if (isNew(routes.queries(), query.message(), query.peer())) {
            broadcast(query.message(), query.peer(), departures);
        }
    }

    /** {@return whether it was slept on long enough} Otherwise the time to stop is over. */
    private boolean sleepOnIt(Departures departures) {
        // What was before it does not have to wait for it.
        departures.flush();
        try {
            Thread.sleep(queryDelay);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean isNew(RouteTable table, Message message, Peer from) {
        // No reply follows to a message that goes no further, so it does not displace the entry of one that does.
        boolean first = ttlBehind(message) > 0 ? table.addIfNew(message.guid(), from.number())
                : table.neighbour(message.guid()) == RouteTable.UNKNOWN;
        if (!first) {
            counts.drop(DropReason.DUPLICATE);
        }
        return first;
    }

    /** {@return the TTL of the forwarded broadcast; it is not forwarded if that is 0 or less} */
    private static int ttlBehind(Message message) {
        return Math.min(message.ttl(), MAX_HOPS - message.hops()) - 1;
    }

    private void broadcast(Message message, Peer from, Departures departures) {
        int ttl = ttlBehind(message);
        if (ttl <= 0) {
            counts.spent.increment();
            return;
        }
        for (Peer peer : peers.neighbours()) {
            if (peer != from) {
                departures.sendOn(message, ttl, peer);
            }
        }
    }

    // Replies

    private void pong(Peer from, Message pong, Departures departures) {
        long neighbour = routes.pings().neighbour(pong.guid());
        InetSocketAddress address = pong.address();
        if (neighbour != RouteTable.UNKNOWN && address != null) {
            // The result is not needed: no thread waits for it.
            catcher.enqueue(new HostFound(address, from.isLocal()));
        }
        if (neighbour == Routes.OURSELVES) {
            counts.own.increment();
        } else {
            sendBack(pong, neighbour, from, departures);
        }
    }

    private void hits(Peer from, Message hits, Departures departures) {
        long neighbour = routes.queries().neighbour(hits.guid());
        if (neighbour != RouteTable.UNKNOWN) {
            routes.servents().put(hits.servent(), from.number());
        }
        sendBack(hits, neighbour, from, departures);
    }

    private void sendBack(Message reply, long neighbour, Peer from, Departures departures) {
        Peer peer = peers.neighbour(neighbour);
        if (peer == null || peer == from) {
            counts.drop(DropReason.REPLY_TO_NOTHING);
        } else if (reply.ttl() == 1) {
            counts.spent.increment();
        } else {
            departures.sendOn(reply, reply.ttl() - 1, peer);
        }
    }

    // Of our own

    private void discover(Discovery discovery, Departures departures) {
        Guid guid = Guid.random();
        routes.pings().addIfNew(guid, Routes.OURSELVES);
        Message ping = Messages.ping(guid, discovery.ttl());
        Peer peer = discovery.peer();
        for (Peer each : peer == null ? peers.neighbours() : new Peer[] {peer}) {
            departures.send(ping, each);
        }
    }

    @Override
    public void handleDiscarded(RouterEvent event) {
        if (event instanceof Arrival) {
            counts.drop(DropReason.TOO_LATE);
        }
    }

    /** Says goodbye, after everything accepted has been handled or the time has elapsed. */
    @Override
    public void handleStop() {
        Departures departures = new Departures(peers, counts, timeout, longestWait);
        for (Peer peer : peers.neighbours()) {
            departures.dismiss(peer, ByeReason.STOPPED);
        }
    }

    @Override
    public String toString() {
        return NAME;
    }
}

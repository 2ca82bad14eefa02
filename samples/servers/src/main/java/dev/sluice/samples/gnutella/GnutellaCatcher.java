package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.CatcherEvent.ConnectionLost;
import dev.sluice.samples.gnutella.CatcherEvent.HostFound;
import dev.sluice.samples.gnutella.RouterEvent.Discovery;
import dev.sluice.samples.gnutella.handshake.ConnectingHandshake;
import dev.sluice.samples.gnutella.handshake.Version;
import dev.sluice.samples.server.FileProblem;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.io.AsyncClientSocket;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.ConnectFailed;
import dev.sluice.stages.io.SocketStages;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's GnutellaCatcher: maintains some connections to the network. Hosts given on the command line come first,
 * then those announced by pongs and other hosts. Its events are {@link CatcherEvent}s, those of its sockets, and {@link
 * Tick}s.
 */
final class GnutellaCatcher implements StageHandler<Object> {

    /** The name of the stage. */
    static final String NAME = "GnutellaCatcher";

    private static final Logger LOG = LoggerFactory.getLogger(GnutellaCatcher.class);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** After this time, an attempt has no result any more. */
    private static final long LONGEST_ATTEMPT = 2 * CONNECT_TIMEOUT.toNanos();
    /** The number of ticks between two pings for hosts, while it lacks connections and has no hosts to try. */
    private static final int TICKS_PER_DISCOVERY = 5;

    private final Peers peers;
    private final HostCache hosts;
    private final GivenHosts given;
    private final LeftHosts left = new LeftHosts();
    private final int kept;
    private final long timeout;
    private final Predicate<InetSocketAddress> ourselves;
    private final SocketStages sockets;
    private final EventQueue<Object> server;
    private EventQueue<Object> own;
    private EventQueue<RouterEvent> router;
    /** The hosts that are being connected to. */
    private final Map<InetSocketAddress, Attempt> attempts = new HashMap<>();
    private int ticks;

    /**
     * Creates a catcher.
     *
     * @param peers     all connections
     * @param hosts     that other hosts announce
     * @param settings  of the router
     * @param ourselves whether an address is that of this router
     * @param sockets   the stages that connect
     * @param server    the queue for what the connections bring
     */
    GnutellaCatcher(Peers peers, HostCache hosts, Settings settings, Predicate<InetSocketAddress> ourselves,
                    SocketStages sockets, EventQueue<Object> server) {
        this.peers = peers;
        this.hosts = hosts;
        this.ourselves = ourselves;
        this.sockets = sockets;
        this.server = server;
        given = new GivenHosts(settings.given(), settings.interval(), System.nanoTime());
        kept = settings.kept();
        timeout = settings.timeout().toNanos();
    }

    /**
     * Says where connections that are made are put. Called before the start.
     *
     * @param queue of this stage, closed as soon as the graph is to stop
     */
    void setQueue(EventQueue<Object> queue) {
        own = queue;
    }

    @Override
    public void handleStart(StageContext context) {
        router = context.queue(GnutellaRouter.NAME, RouterEvent.class);
    }

    @Override
    public void handleEvents(EventBatch<Object> batch) {
        for (Object event = batch.next(); event != null; event = batch.next()) {
            if (event instanceof HostFound found) {
                add(found);
            } else if (event instanceof AsyncConnection connection) {
                connected(connection);
            } else if (event instanceof ConnectFailed failed) {
                failed(failed);
            } else if (event instanceof ConnectionLost lost) {
                lost(lost);
            } else if (event == Tick.TICK) {
                ticks++;
            }
        }
        catchMore();
    }

    private void add(HostFound found) {
        InetSocketAddress address = found.address();
        if (HostCache.isUsable(address, found.local()) && !ourselves.test(address)) {
            hosts.add(address);
        }
    }

    private void connected(AsyncConnection connection) {
        Candidate candidate = attempt(connection);
        if (candidate == null) {
            connection.close();
            return;
        }
        ConnectingHandshake handshake = new ConnectingHandshake(candidate.version());
        Peer peer = peers.add(connection, candidate, handshake, System.nanoTime() + timeout);
        if (peer == null) {
            leave(candidate);
            connection.close();
            return;
        }
        // First of all, so that the server is notified if the connection fails.
        connection.startReading(server);
        connection.send(handshake.greeting());
    }

    private void failed(ConnectFailed failed) {
        Attempt attempt = attempts.remove(failed.socket().address());
        if (attempt == null) {
            return;
        }
        if (attempt.candidate().given()) {
            // Logged for given hosts alone: any peer can announce hosts that do not exist.
            LOG.info("{}", FileProblem.describe(failed.cause()));
        }
        leave(attempt.candidate());
    }

    /** Delays the next attempt at a host. */
    private void leave(Candidate candidate) {
        if (candidate.given()) {
            given.failed(candidate.address(), System.nanoTime());
        } else {
            left.add(candidate.address(), System.nanoTime());
        }
    }

    private Candidate attempt(AsyncConnection connection) {
        try {
            Attempt attempt = attempts.remove(connection.remoteAddress());
            return attempt == null ? null : attempt.candidate();
        } catch (IOException e) {
            // It is closed already, and does not say whose it was: that attempt is forgotten in time.
            LOG.debug("a connection is lost: {}", e.getMessage());
            return null;
        }
    }

    private void lost(ConnectionLost lost) {
        Candidate candidate = lost.candidate();
        switch (lost.ending()) {
            case WITHOUT_ANSWER -> {
                // Another connection may have taken its place before this event was delivered.
                if (candidate.version() == Version.NEW && caught().size() < kept) {
                    connect(new Candidate(candidate.address(), Version.OLD, candidate.given()));
                } else {
                    leave(candidate);
                }
            }
            case AFTER_GREETING -> {
                if (candidate.given()) {
                    given.left(candidate.address(), System.nanoTime());
                } else {
                    left.add(candidate.address(), System.nanoTime());
                    hosts.add(candidate.address());
                }
            }
            case REFUSED -> leave(candidate);
            default -> { }
        }
    }

    private void catchMore() {
        long now = System.nanoTime();
        attempts.values().removeIf(attempt -> now - attempt.begun() > LONGEST_ATTEMPT);
        Set<InetSocketAddress> caught = caught();
        Predicate<InetSocketAddress> wanted =
                host -> !caught.contains(host) && !ourselves.test(host) && !left.contains(host, now);
        while (caught.size() < kept) {
            Candidate candidate = given.take(wanted, now);
            if (candidate == null) {
                candidate = hosts.take(wanted);
            }
            if (candidate == null) {
                discover();
                return;
            }
            if (!connect(candidate)) {
                return;
            }
            caught.add(candidate.address());
        }
    }

    /** {@return the hosts that it is connected to, or tries to be} */
    private Set<InetSocketAddress> caught() {
        Set<InetSocketAddress> caught = new HashSet<>(peers.caught());
        caught.addAll(attempts.keySet());
        return caught;
    }

    /** {@return whether it is being connected to} */
    private boolean connect(Candidate candidate) {
        try {
            attempts.put(candidate.address(), new Attempt(candidate, System.nanoTime()));
            new AsyncClientSocket(sockets, candidate.address(), CONNECT_TIMEOUT, own);
            return true;
        } catch (IOException e) {
            LOG.info("{}", e.getMessage());
            attempts.remove(candidate.address());
            leave(candidate);
            return false;
        }
    }

    /** Asks the neighbours for hosts, when there is none left to connect to. */
    private void discover() {
        if (ticks >= TICKS_PER_DISCOVERY
                && router.enqueue(new Discovery(null, GnutellaRouter.MAX_HOPS)) == EnqueueResult.ACCEPTED) {
            ticks = 0;
        }
    }

    @Override
    public boolean isExclusive() {
        return true;
    }

    @Override
    public String toString() {
        return NAME;
    }

    /** A host that is being connected to, since when. */
    private record Attempt(Candidate candidate, long begun) {
    }
}

package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.CatcherEvent.ConnectionLost;
import dev.sluice.samples.gnutella.CatcherEvent.Ending;
import dev.sluice.samples.gnutella.CatcherEvent.HostFound;
import dev.sluice.samples.gnutella.RouterEvent.Arrival;
import dev.sluice.samples.gnutella.RouterEvent.Discovery;
import dev.sluice.samples.gnutella.RouterEvent.PeerEnded;
import dev.sluice.samples.gnutella.handshake.AcceptingHandshake;
import dev.sluice.samples.gnutella.handshake.Neighbour;
import dev.sluice.samples.gnutella.handshake.RefusedException;
import dev.sluice.samples.gnutella.handshake.Status;
import dev.sluice.samples.gnutella.message.Message;
import dev.sluice.samples.gnutella.message.MessageDecoder;
import dev.sluice.samples.gnutella.message.MessageType;
import dev.sluice.samples.gnutella.message.OutOfStepException;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.ConnectionClosed;
import dev.sluice.stages.io.EndOfInput;
import dev.sluice.stages.io.Packet;
import dev.sluice.stages.io.ServerSocketClosed;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's GnutellaServer: accepts connections, and decodes the messages received on them. Its events are those of
 * the sockets, and {@link Tick}s.
 */
final class GnutellaServer implements StageHandler<Object> {

    /** The name of the stage. */
    static final String NAME = "GnutellaServer";

    private static final Logger LOG = LoggerFactory.getLogger(GnutellaServer.class);

    private final Peers peers;
    private final HostCache hosts;
    private final TrafficCounts counts;
    private final OverloadPolicy policy;
    private final long timeout;
    /** Of a neighbour before it is asked whether it is there, and again before it is closed. */
    private final long bearableSilence;
    private EventQueue<Object> own;
    private Intake intake;
    private EventQueue<CatcherEvent> catcher;

    /**
     * Creates a server.
     *
     * @param peers    all connections
     * @param hosts    those that are listed in refusals for lack of space
     * @param counts   of all stages
     * @param settings of the router
     */
    GnutellaServer(Peers peers, HostCache hosts, TrafficCounts counts, Settings settings) {
        this.peers = peers;
        this.hosts = hosts;
        this.counts = counts;
        policy = settings.policy();
        timeout = settings.timeout().toNanos();
        bearableSilence = settings.silence().toNanos() / 2;
    }

    /**
     * Says where connections bring what they bring. Called before the start.
     *
     * @param queue of this stage, closed as soon as the graph is to stop
     */
    void setQueue(EventQueue<Object> queue) {
        own = queue;
    }

    @Override
    public void handleStart(StageContext context) {
        intake = new Intake(context.queue(GnutellaRouter.NAME, RouterEvent.class), policy, counts);
        catcher = context.queue(GnutellaCatcher.NAME, CatcherEvent.class);
    }

    @Override
    public void handleEvents(EventBatch<Object> batch) throws InterruptedException {
        for (Object event = batch.next(); event != null; event = batch.next()) {
            if (event instanceof Packet packet) {
                received(packet);
            } else if (event instanceof AsyncConnection connection) {
                accept(connection);
            } else if (event instanceof EndOfInput ended) {
                inputEnded(peers.of(ended.connection()));
            } else if (event instanceof ConnectionClosed closed) {
                closed(peers.remove(closed.connection()));
            } else if (event instanceof ServerSocketClosed ended && ended.cause() != null) {
                LOG.error("stopped accepting connections: {}", ended.cause().getMessage());
            } else if (event == Tick.TICK) {
                losePatience();
            }
        }
    }

    private void accept(AsyncConnection connection) {
        Peer[] made = new Peer[1];
        AcceptingHandshake handshake = new AcceptingHandshake(() -> peers.reserve(made[0]), hosts::some);
        made[0] = peers.add(connection, null, handshake, System.nanoTime() + timeout);
        if (made[0] == null) {
            connection.close();
        } else {
            connection.startReading(own);
        }
    }

    private void received(Packet packet) throws InterruptedException {
        Peer peer = peers.of(packet.connection());
        if (peer == null || peer.is(Peer.State.LEAVING)) {
            return;
        }
        ByteBuffer bytes = packet.bytes();
        peer.heard();
        try {
            if (peer.is(Peer.State.GREETING) && !greet(peer, bytes)) {
                return;
            }
            peer.decoder().decode(bytes);
        } catch (RefusedException e) {
            refused(peer, e);
        } catch (OutOfStepException e) {
            LOG.debug("{} sends {}", peer, e.getMessage());
            dismiss(peer, e.isTooLong() ? ByeReason.TOO_BIG : ByeReason.OUT_OF_STEP);
        }
    }

    // Greeting

    /** {@return whether it is a neighbour now} */
    private boolean greet(Peer peer, ByteBuffer bytes) throws RefusedException, InterruptedException {
        Neighbour neighbour = peer.handshake().take(bytes, peer.connection()::send);
        if (neighbour == null) {
            return false;
        }
        peer.setDecoder(new MessageDecoder(message -> decoded(peer, message), this::unknownType));
        peer.welcome(neighbour.knowsBye());
        peers.joined(peer);
        counts.neighbours.increment();
        neighbour.others().forEach(host -> found(peer, host));
        // If the queue is full, the catcher asks again when it needs hosts.
        intake.enqueue(new Discovery(peer, GnutellaRouter.MAX_HOPS));
        return true;
    }

    private void refused(Peer peer, RefusedException why) {
        LOG.debug("{} is refused: {}", peer, why.getMessage());
        why.others().forEach(host -> found(peer, host));
        turnAway(peer, why.status());
    }

    private void turnAway(Peer peer, Status status) {
        ByteBuffer refusal = status == null ? null : peer.handshake().refusal(status);
        if (refusal != null) {
            peer.connection().send(refusal);
        }
        peer.setRefused();
        counts.refused.increment();
        peer.turnAway(System.nanoTime() + timeout);
    }

    private void found(Peer peer, InetSocketAddress host) {
        catcher.enqueue(new HostFound(host, peer.isLocal()));
    }

    // Messages

    private void decoded(Peer peer, Message message) {
        counts.received.increment();
        if (!peer.is(Peer.State.NEIGHBOUR)) {
            counts.drop(DropReason.TOO_LATE);
            return;
        }
        DropReason reason = Screening.reason(message);
        if (reason != null) {
            counts.drop(reason);
        } else if (message.type() == MessageType.BYE) {
            counts.own.increment();
            dismiss(peer, ByeReason.ITS_OWN);
        } else {
            offer(new Arrival(peer, message));
        }
    }

    private void offer(Arrival arrival) {
        try {
            intake.offer(arrival);
        } catch (InterruptedException e) {
            // The stage is being ended.
            Thread.currentThread().interrupt();
            counts.drop(DropReason.TOO_LATE);
        }
    }

    private void unknownType() {
        counts.received.increment();
        counts.drop(DropReason.UNKNOWN_TYPE);
    }

    // Leaving

    private void inputEnded(Peer peer) throws InterruptedException {
        if (peer == null) {
            return;
        }
        if (peer.is(Peer.State.GREETING)) {
            counts.refused.increment();
            peer.connection().close();
        } else if (intake.enqueue(new PeerEnded(peer)) != EnqueueResult.ACCEPTED) {
            dismiss(peer, ByeReason.ITS_OWN);
        }
    }

    private void dismiss(Peer peer, ByeReason farewell) {
        if (peer.dismiss(farewell, System.nanoTime() + timeout)) {
            counts.close(farewell);
            peers.left(peer);
        }
    }

    private void closed(Peer peer) {
        if (peer != null && peer.candidate() != null) {
            catcher.enqueue(new ConnectionLost(peer.candidate(), ending(peer)));
        }
    }

    private static Ending ending(Peer peer) {
        if (peer.isRefused()) {
            return Ending.REFUSED;
        }
        return peer.is(Peer.State.GREETING) ? Ending.WITHOUT_ANSWER : Ending.AFTER_GREETING;
    }

    private void losePatience() throws InterruptedException {
        long now = System.nanoTime();
        Collection<Peer> all = peers.all();
        for (Peer peer : all) {
            if (peer.is(Peer.State.NEIGHBOUR)) {
                listenFor(peer, now);
            } else if (peer.isOverdue(now)) {
                giveUp(peer);
            }
        }
    }

    /**
     * A host that has lost its power, or its network, never says so, and would keep its place forever. However late
     * the looks come, it has half of the time to answer, and is never closed without having been asked.
     */
    private void listenFor(Peer peer, long now) throws InterruptedException {
        if (peer.silence(now) <= bearableSilence) {
            return;
        }
        if (peer.isAsked()) {
            LOG.debug("{} has been silent for too long", peer);
            dismiss(peer, ByeReason.SILENT);
        } else if (intake.enqueue(new Discovery(peer, 1)) == EnqueueResult.ACCEPTED) {
            peer.setAsked(now);
        }
    }

    private void giveUp(Peer peer) {
        if (peer.is(Peer.State.GREETING)) {
            LOG.debug("{} has not greeted in time", peer);
            turnAway(peer, Status.LATE);
        } else {
            peer.connection().close();
        }
    }

    @Override
    public void handleFailure(Object event, Throwable cause) {
        StageHandler.super.handleFailure(event, cause);
        if (event instanceof Packet packet) {
            packet.connection().close();
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
}

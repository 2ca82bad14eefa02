package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.handshake.Handshake;
import dev.sluice.stages.io.AsyncConnection;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * All connections, and which of them are neighbours. Changed under a lock, by the server and the catcher; looked at by
 * any thread, without one.
 */
final class Peers {

    private final AtomicReferenceArray<Peer> slots;
    /** The number that the next peer in each slot will have. */
    private final long[] numbers;
    private final Map<AsyncConnection, Peer> byConnection = new ConcurrentHashMap<>();
    private final int outgoingBytes;
    private final long tolerance;
    /** Replaced under the lock. */
    private volatile Peer[] neighbours = {};
    private final Set<Peer> withPlace = new HashSet<>();
    /** The most neighbours among those that have connected themselves. */
    private final int places;
    /** The most that have connected themselves, greeting ones included: the catcher finds slots, too. */
    private final int maxIncoming;
    private int incoming;

    /**
     * Begins without connections.
     *
     * @param slots    the maximum number of connections
     * @param settings of the router
     */
    Peers(int slots, Settings settings) {
        this.slots = new AtomicReferenceArray<>(slots);
        places = settings.neighbours();
        // The listening socket reserves a place before a connection is accepted.
        maxIncoming = slots - settings.kept() - 1;
        outgoingBytes = settings.outgoingBytes();
        tolerance = settings.tolerance().toNanos();
        // From 1 on: 0 is the router itself.
        numbers = new long[slots];
        Arrays.setAll(numbers, slot -> slot + 1L);
    }

    /**
     * Adds a connection.
     *
     * @param connection the connection
     * @param candidate  whom it was connected to; null if it has connected itself
     * @param handshake  its beginning
     * @param deadline   for that, by {@link System#nanoTime()}
     * @return the peer, or null if there are too many
     */
    synchronized Peer add(AsyncConnection connection, Candidate candidate, Handshake handshake, long deadline) {
        if (candidate == null && incoming == maxIncoming) {
            return null;
        }
        for (int slot = 0; slot < slots.length(); slot++) {
            if (slots.get(slot) == null) {
                Peer peer = new Peer(numbers[slot], connection, candidate, handshake, deadline,
                        new Outbox(connection, outgoingBytes, tolerance));
                numbers[slot] += slots.length();
                byConnection.put(connection, peer);
                slots.set(slot, peer);
                incoming += candidate == null ? 1 : 0;
                return peer;
            }
        }
        return null;
    }

    /**
     * Forgets a connection that is closed.
     *
     * @param connection the connection
     * @return what it was; null if it was not known
     */
    synchronized Peer remove(AsyncConnection connection) {
        Peer peer = byConnection.remove(connection);
        if (peer != null) {
            slots.set(slot(peer.number()), null);
            withPlace.remove(peer);
            incoming -= peer.candidate() == null ? 1 : 0;
            left(peer);
        }
        return peer;
    }

    /** {@return the peer of a connection; null if it is not known} */
    Peer of(AsyncConnection connection) {
        return byConnection.get(connection);
    }

    /** {@return the neighbour with a number; null if it is none any more} */
    Peer neighbour(long number) {
        Peer peer = number < 1 ? null : slots.get(slot(number));
        return peer != null && peer.number() == number && peer.is(Peer.State.NEIGHBOUR) ? peer : null;
    }

    private int slot(long number) {
        return (int) ((number - 1) % slots.length());
    }

    /** {@return the peers that messages are exchanged with; not to be modified} */
    Peer[] neighbours() {
        return neighbours;
    }

    /** {@return all, whatever they are} */
    Collection<Peer> all() {
        return byConnection.values();
    }

    // Neighbours

    /** {@return whether a peer that has connected itself may become a neighbour; if so, the place is kept for it} */
    synchronized boolean reserve(Peer peer) {
        return withPlace.size() < places && withPlace.add(peer);
    }

    /** It has become a neighbour. */
    synchronized void joined(Peer peer) {
        Peer[] more = Arrays.copyOf(neighbours, neighbours.length + 1);
        more[neighbours.length] = peer;
        neighbours = more;
    }

    /** It is a neighbour no more. */
    synchronized void left(Peer peer) {
        neighbours = Arrays.stream(neighbours).filter(other -> other != peer).toArray(Peer[]::new);
    }

    // For the catcher

    /** {@return the hosts that it is connected to, or greets} */
    List<InetSocketAddress> caught() {
        List<InetSocketAddress> hosts = new ArrayList<>();
        for (Peer peer : byConnection.values()) {
            if (peer.candidate() != null && !peer.is(Peer.State.LEAVING)) {
                hosts.add(peer.candidate().address());
            }
        }
        return hosts;
    }
}

package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.Outbox.Gathering;
import dev.sluice.samples.gnutella.message.Message;
import java.util.ArrayList;
import java.util.List;

/** What a thread of the router sends in one batch: all that is for one neighbour leaves together. For one thread. */
final class Departures {

    private final Peers peers;
    private final TrafficCounts counts;
    private final long patience;
    private final List<Peer> touched = new ArrayList<>();

    /**
     * Has nothing yet.
     *
     * @param peers    all connections
     * @param counts   of all stages
     * @param patience in nanoseconds, with those that are closed
     */
    Departures(Peers peers, TrafficCounts counts, long patience) {
        this.peers = peers;
        this.counts = counts;
        this.patience = patience;
    }

    /**
     * Sends a message on, one hop further, with the next flush.
     *
     * @param message what
     * @param ttl     that it is to have, more than 0
     * @param peer    to whom
     */
    void sendOn(Message message, int ttl, Peer peer) {
        add(message, ttl, peer);
    }

    /** Sends a message of our own as it is, with the next flush. */
    void send(Message message, Peer peer) {
        add(message, 0, peer);
    }

    private void add(Message message, int ttl, Peer peer) {
        Gathering gathering = peer.outbox().add(message, ttl);
        switch (gathering) {
            case FIRST -> touched.add(peer);
            case OVERRUN -> dismiss(peer, Farewell.TOO_SLOW);
            default -> { }
        }
        if (gathering == Gathering.FIRST || gathering == Gathering.ANOTHER) {
            counts.sent.increment();
        }
    }

    /** Has everything leave now. */
    void flush() {
        for (Peer peer : touched) {
            if (!peer.outbox().flush()) {
                dismiss(peer, Farewell.TOO_SLOW);
            }
        }
        touched.clear();
    }

    /** Has a neighbour be closed once it has got what waits for it. */
    void dismiss(Peer peer, Farewell farewell) {
        if (peer.dismiss(farewell, System.nanoTime() + patience)) {
            counts.close(farewell);
            peers.left(peer);
        }
    }
}

package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.Outbox.Gathering;
import dev.sluice.samples.gnutella.Outbox.Pace;
import dev.sluice.samples.gnutella.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The messages that a thread of the router sends in one batch: those for the same neighbour are sent together. For one
 * thread.
 */
final class Departures {

    /** The interval at which a neighbour that is behind is checked. */
    private static final long BETWEEN_LOOKS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Peers peers;
    private final TrafficCounts counts;
    private final long timeout;
    private final long longestWait;
    private final List<Peer> touched = new ArrayList<>();
    private long waited;

    /**
     * Creates an empty object.
     *
     * @param peers       all connections
     * @param counts      of all stages
     * @param timeout     in nanoseconds: how long neighbours that are being closed may take to receive what is queued
     * @param longestWait in nanoseconds, for all that are behind together: many that are slow, one after the other,
     *                    would hold up the rest many times as long as one of them may
     */
    Departures(Peers peers, TrafficCounts counts, long timeout, long longestWait) {
        this.peers = peers;
        this.counts = counts;
        this.timeout = timeout;
        this.longestWait = longestWait;
    }

    /**
     * Forwards a message, one hop further, with the next flush.
     *
     * @param message the message
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
        while (gathering == Gathering.FULL && hasCaughtUp(peer)) {
            gathering = peer.outbox().add(message, ttl);
        }
        switch (gathering) {
            case FIRST -> touched.add(peer);
            case FULL -> counts.drop(DropReason.BEHIND);
            default -> { }
        }
        if (gathering == Gathering.FIRST || gathering == Gathering.ANOTHER) {
            counts.sent.increment();
        }
    }

    /** {@return whether there is space for a neighbour again} Waits for it while the neighbour takes bytes. */
    private boolean hasCaughtUp(Peer peer) {
        Pace pace = peer.outbox().pace();
        if (pace == Pace.BEHIND) {
            // The others do not have to wait for it.
            flush();
        }
        while (pace == Pace.BEHIND && waited < longestWait && !Thread.currentThread().isInterrupted()) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(this, BETWEEN_LOOKS);
            waited += System.nanoTime() - begin;
            pace = peer.outbox().pace();
        }
        if (pace == Pace.TOO_SLOW) {
            dismiss(peer, ByeReason.TOO_SLOW);
        }
        return pace == Pace.IN_STEP;
    }

    /** Sends everything now. */
    void flush() {
        touched.forEach(peer -> peer.outbox().flush());
        touched.clear();
    }

    /** Closes a neighbour once what is queued for it has been sent. */
    void dismiss(Peer peer, ByeReason farewell) {
        if (peer.dismiss(farewell, System.nanoTime() + timeout)) {
            counts.close(farewell);
            peers.left(peer);
        }
    }
}

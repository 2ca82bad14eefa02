package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.message.Message;
import dev.sluice.samples.gnutella.message.MessageType;

/** What the router stage takes. */
sealed interface RouterEvent {

    /**
     * A message has come.
     *
     * @param peer    from whom
     * @param message the message
     */
    record Arrival(Peer peer, Message message) implements RouterEvent {

        boolean isQuery() {
            return message.type() == MessageType.QUERY;
        }
    }

    /**
     * A peer sends no more. It has to get answers to what it has sent before.
     *
     * @param peer the peer
     */
    record PeerEnded(Peer peer) implements RouterEvent {
    }

    /**
     * A ping for hosts is to be sent.
     *
     * @param peer whom to ask; null for all neighbours
     * @param ttl  how far the ping goes, from 1
     */
    record Discovery(Peer peer, int ttl) implements RouterEvent {
    }
}

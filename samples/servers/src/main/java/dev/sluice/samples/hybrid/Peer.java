package dev.sluice.samples.hybrid;

import dev.sluice.handle.SocketConnector;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The other node, which is called: the client in a hybrid. Uses a connection for each open call: the peer does not
 * receive from a connection while it is answering a call of it.
 */
final class Peer {

    private final LeaderFollowersPool pool;
    private final InetSocketAddress address;
    private final Duration timeout;
    private final Counts counts;
    private final Deque<PeerLink> idle = new ConcurrentLinkedDeque<>();

    Peer(LeaderFollowersPool pool, InetSocketAddress address, Duration timeout, Counts counts) {
        this.pool = pool;
        this.address = address;
        this.timeout = timeout;
        this.counts = counts;
    }

    /** {@return a Fibonacci number, computed by the peer} */
    long call(int number) throws IOException {
        PeerLink link = idle.poll();
        if (link == null) {
            link = new PeerLink(pool, SocketConnector.connect(address, timeout), idle::remove);
            counts.links.increment();
        }
        counts.made.increment();
        boolean answered = false;
        try {
            long value = link.call(number, timeout);
            answered = true;
            return value;
        } finally {
            if (answered) {
                idle.push(link);
                if (!link.isOpen()) {
                    // Its end may have come before it was among those that are idle.
                    idle.remove(link);
                }
            } else {
                // A response that is late must not be taken for the next call's.
                link.close();
            }
        }
    }
}

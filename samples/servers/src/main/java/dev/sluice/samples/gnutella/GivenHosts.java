package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.handshake.Version;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The hosts that were given on the command line. The router tries them forever, with growing pauses. A pause begins
 * when an attempt has ended: a host that refuses after a long attempt must not be due again immediately, before the
 * hosts that its refusal has listed. For one thread.
 */
final class GivenHosts {

    private static final long LONGEST_PAUSE = Duration.ofMinutes(1).toNanos();
    /** After this time, an attempt whose end was not reported is over. */
    private static final long LONGEST_ATTEMPT = LONGEST_PAUSE;

    private final long firstPause;
    private final List<Host> hosts = new ArrayList<>();

    /** One of them. */
    private static final class Host {

        private final InetSocketAddress address;
        private long pause;
        /** By {@link System#nanoTime()}. */
        private long next;

        Host(InetSocketAddress address, long pause, long now) {
            this.address = address;
            this.pause = pause;
            next = now;
        }
    }

    /**
     * Creates the list.
     *
     * @param addresses of the hosts
     * @param pause     the shortest one
     * @param now       by {@link System#nanoTime()}; all are due
     */
    GivenHosts(List<InetSocketAddress> addresses, Duration pause, long now) {
        firstPause = pause.toNanos();
        addresses.stream().distinct().forEach(address -> hosts.add(new Host(address, firstPause, now)));
    }

    /** {@return the next host that is wanted and due; null if there is none} */
    Candidate take(Predicate<InetSocketAddress> wanted, long now) {
        for (Host host : hosts) {
            if (now - host.next >= 0 && wanted.test(host.address)) {
                host.next = now + LONGEST_ATTEMPT;
                return new Candidate(host.address, Version.NEW, true);
            }
        }
        return null;
    }

    /**
     * Called after a failed attempt: the host is due again after a pause, which is twice as long as the previous one.
     */
    void failed(InetSocketAddress address, long now) {
        Host host = find(address);
        if (host != null) {
            host.next = now + host.pause;
            host.pause = Math.min(2 * host.pause, LONGEST_PAUSE);
        }
    }

    /** Called when a neighbour has left: the host is due again after the shortest pause. */
    void left(InetSocketAddress address, long now) {
        Host host = find(address);
        if (host != null) {
            host.pause = firstPause;
            host.next = now + host.pause;
        }
    }

    private Host find(InetSocketAddress address) {
        return hosts.stream().filter(host -> host.address.equals(address)).findFirst().orElse(null);
    }
}

package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.handshake.Version;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The hosts that the router was told to connect to. They are tried for ever, but ever less often. For one thread. */
final class GivenHosts {

    private static final long FIRST_PAUSE = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMinutes(1).toNanos();

    private final List<Host> hosts = new ArrayList<>();

    /** One of them. */
    private static final class Host {

        private final InetSocketAddress address;
        private long pause = FIRST_PAUSE;
        /** By {@link System#nanoTime()}. */
        private long next = System.nanoTime();

        Host(InetSocketAddress address) {
            this.address = address;
        }
    }

    /**
     * Makes the list.
     *
     * @param addresses of the hosts
     */
    GivenHosts(List<InetSocketAddress> addresses) {
        addresses.stream().distinct().forEach(address -> hosts.add(new Host(address)));
    }

    /** {@return the next host that is wanted and due; null if there is none} It is due again after a pause. */
    Candidate take(Predicate<InetSocketAddress> wanted, long now) {
        for (Host host : hosts) {
            if (now - host.next >= 0 && wanted.test(host.address)) {
                host.next = now + host.pause;
                host.pause = Math.min(2 * host.pause, LONGEST_PAUSE);
                return new Candidate(host.address, Version.NEW, true);
            }
        }
        return null;
    }

    /** A host was a neighbour: it may be tried again soon. */
    void praise(InetSocketAddress address) {
        hosts.stream().filter(host -> host.address.equals(address)).forEach(host -> host.pause = FIRST_PAUSE);
    }
}

package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.handshake.Version;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The latest {@value #MAX_HOSTS} hosts that other hosts have announced. The catcher fills it; the server sends some of
 * them to peers that it refuses. May be used by any thread.
 */
final class HostCache {

    /** The maximum number of hosts. */
    static final int MAX_HOSTS = 256;
    /** The maximum number of hosts in one refusal. */
    static final int SOME = 10;

    /** The eldest first. */
    private final Set<InetSocketAddress> hosts = new LinkedHashSet<>();

    /** Creates an empty cache. */
    HostCache() {
    }

    /** {@return whether such an address can be connected to from here} */
    static boolean isUsable(InetSocketAddress host, boolean toldLocally) {
        InetAddress address = host.getAddress();
        // Such an IPv6 address needs the name of a network interface, which only its own machine knows.
        boolean isOfOneLink = address instanceof Inet6Address && address.isLinkLocalAddress();
        return host.getPort() != 0 && !address.isAnyLocalAddress() && !address.isMulticastAddress() && !isOfOneLink
                && (toldLocally || !address.isLoopbackAddress());
    }

    /** Adds a host as the latest one. */
    synchronized void add(InetSocketAddress host) {
        hosts.remove(host);
        hosts.add(host);
        if (hosts.size() > MAX_HOSTS) {
            Iterator<InetSocketAddress> eldest = hosts.iterator();
            eldest.next();
            eldest.remove();
        }
    }

    /** {@return the eldest host that is wanted, which is in the cache no more; null if there is none} */
    synchronized Candidate take(Predicate<InetSocketAddress> wanted) {
        for (Iterator<InetSocketAddress> each = hosts.iterator(); each.hasNext();) {
            InetSocketAddress host = each.next();
            if (wanted.test(host)) {
                each.remove();
                return new Candidate(host, Version.NEW, false);
            }
        }
        return null;
    }

    /** {@return some of them} */
    synchronized List<InetSocketAddress> some() {
        return hosts.stream().limit(SOME).toList();
    }
}

package dev.sluice.samples.gnutella;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Announced hosts to which connecting has failed, or that have disconnected, the latest {@value #MAX_HOSTS} of them.
 * They are not tried for a while: a host that accepts each connection and ends it immediately must not cause the router
 * to connect without end. For one thread.
 */
final class LeftHosts {

    /** The most hosts. */
    static final int MAX_HOSTS = 256;

    private static final long PAUSE = Duration.ofSeconds(30).toNanos();

    /** When they may be tried again, by {@link System#nanoTime()}; the eldest first. */
    private final Map<InetSocketAddress, Long> due = new LinkedHashMap<>();

    /** Begins empty. */
    LeftHosts() {
    }

    void add(InetSocketAddress host, long now) {
        due.remove(host);
        due.put(host, now + PAUSE);
        if (due.size() > MAX_HOSTS) {
            Iterator<InetSocketAddress> eldest = due.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    /** {@return whether it is to be left alone} */
    boolean contains(InetSocketAddress host, long now) {
        Long next = due.get(host);
        return next != null && now - next < 0;
    }
}

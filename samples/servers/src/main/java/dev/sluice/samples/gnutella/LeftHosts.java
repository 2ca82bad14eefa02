package dev.sluice.samples.gnutella;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Hosts that others have told of, and that have been connected to in vain, or have gone again, the latest
 * {@value #MOST} of them. They are left alone for a while: one that takes each connection, and ends it at once, must
 * not have the router connect without end. For one thread.
 */
final class LeftHosts {

    /** The most hosts. */
    static final int MOST = 256;

    private static final long PAUSE = Duration.ofSeconds(30).toNanos();

    /** When they may be tried again, by {@link System#nanoTime()}; the eldest first. */
    private final Map<InetSocketAddress, Long> due = new LinkedHashMap<>();

    /** Knows nobody. */
    LeftHosts() {
    }

    void add(InetSocketAddress host, long now) {
        due.remove(host);
        due.put(host, now + PAUSE);
        if (due.size() > MOST) {
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

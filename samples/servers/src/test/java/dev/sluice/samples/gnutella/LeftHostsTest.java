package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How long a host that has left is not contacted again. */
class LeftHostsTest {

    private static final long PAUSE = TimeUnit.SECONDS.toNanos(30);

    private final LeftHosts hosts = new LeftHosts();

    private static InetSocketAddress host(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    @Test
    void forAWhileEachTime() {
        assertFalse(hosts.contains(host(1), 0));
        hosts.add(host(1), 0);
        assertTrue(hosts.contains(host(1), PAUSE - 1));
        assertFalse(hosts.contains(host(1), PAUSE));
        hosts.add(host(1), PAUSE);
        assertTrue(hosts.contains(host(1), 2 * PAUSE - 1));
        assertFalse(hosts.contains(host(2), PAUSE));
    }

    @Test
    void theLatestAreRemembered() {
        for (int i = 0; i <= LeftHosts.MAX_HOSTS; i++) {
            hosts.add(host(i), 0);
        }
        assertFalse(hosts.contains(host(0), 0));
        assertTrue(hosts.contains(host(1), 0));
        assertTrue(hosts.contains(host(LeftHosts.MAX_HOSTS), 0));
    }
}

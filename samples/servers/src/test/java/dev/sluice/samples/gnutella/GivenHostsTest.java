package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.samples.gnutella.handshake.Version;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a host that was given is due again. */
@Tag(Depth.IN_QUICK)
class GivenHostsTest {

    private static final InetSocketAddress FIRST = new InetSocketAddress("127.0.0.1", 1);
    private static final InetSocketAddress SECOND = new InetSocketAddress("127.0.0.1", 2);

    private final GivenHosts hosts = new GivenHosts(List.of(FIRST, SECOND, FIRST), Duration.ofSeconds(1), 0);

    @Test
    void eachIsDueOnceAtFirst() {
        assertEquals(candidate(FIRST), take(0));
        assertEquals(candidate(SECOND), take(0));
        assertNull(take(0));
    }

    @Test
    void hostIsNotRetriedDuringAnAttempt() {
        take(0);
        take(0);
        assertNull(take(59));
        hosts.failed(FIRST, TimeUnit.SECONDS.toNanos(59));
        assertNull(take(59));
        assertEquals(candidate(FIRST), take(60));
    }

    @Test
    void attemptWithoutAResultExpires() {
        take(0);
        take(0);
        assertEquals(candidate(FIRST), take(60));
    }

    @Test
    void pausesGetLongerUntilItWasANeighbour() {
        take(0);
        take(0);
        int now = 0;
        for (int pause : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            hosts.failed(FIRST, TimeUnit.SECONDS.toNanos(now));
            hosts.failed(SECOND, TimeUnit.SECONDS.toNanos(now + 1));
            assertNull(take(now + pause - 1));
            now += pause;
            assertEquals(candidate(FIRST), take(now));
        }
        hosts.left(FIRST, TimeUnit.SECONDS.toNanos(now));
        hosts.failed(SECOND, TimeUnit.SECONDS.toNanos(now));
        assertNull(take(now));
        assertEquals(candidate(FIRST), take(now + 1));
    }

    @Test
    void othersAreNoneOfThem() {
        InetSocketAddress stranger = new InetSocketAddress("127.0.0.1", 3);
        hosts.failed(stranger, 0);
        hosts.left(stranger, 0);
        assertEquals(candidate(FIRST), take(0));
    }

    private Candidate take(long seconds) {
        return hosts.take(address -> true, TimeUnit.SECONDS.toNanos(seconds));
    }

    private static Candidate candidate(InetSocketAddress address) {
        return new Candidate(address, Version.NEW, true);
    }
}

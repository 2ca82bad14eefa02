package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.samples.gnutella.handshake.Version;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of the hosts named by neighbours are cached, and in which order they are tried. */
@Tag(Depth.IN_QUICK)
class HostCacheTest {

    private final HostCache hosts = new HostCache();

    private static InetSocketAddress host(int number) {
        return new InetSocketAddress("192.0.2." + number % 250, 6346 + number);
    }

    private InetSocketAddress take() {
        Candidate candidate = hosts.take(each -> true);
        if (candidate == null) {
            return null;
        }
        assertEquals(new Candidate(candidate.address(), Version.NEW, false), candidate);
        return candidate.address();
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.1, 6346, false, true", "192.0.2.1, 6346, true, true", "192.0.2.1, 0, true, false",
        "127.0.0.1, 6346, true, true", "127.0.0.1, 6346, false, false", "0.0.0.0, 6346, true, false",
        "224.0.0.1, 6346, true, false", "2001:db8::1, 6346, false, true", "::1, 6346, true, true",
        "::1, 6346, false, false", "::, 6346, true, false", "ff02::1, 6346, true, false", "fe80::1, 6346, true, false",
        "169.254.1.1, 6346, false, true"})
    void rejectsUnusableAddresses(String address, int port, boolean toldLocally, boolean usable) {
        assertEquals(usable, HostCache.isUsable(new InetSocketAddress(address, port), toldLocally));
    }

    @Test
    void theEldestIsTakenFirstAndOnce() {
        IntStream.range(0, 3).forEach(i -> hosts.add(host(i)));
        assertEquals(host(0), take());
        assertEquals(host(1), take());
        assertEquals(host(2), take());
        assertNull(take());
    }

    @Test
    void hostThatIsNamedAgainBecomesTheLatest() {
        IntStream.range(0, 3).forEach(i -> hosts.add(host(i)));
        hosts.add(host(0));
        assertEquals(host(1), take());
        assertEquals(host(2), take());
        assertEquals(host(0), take());
        assertNull(take());
    }

    @Test
    void hostsThatDoNotMatchStay() {
        IntStream.range(0, 3).forEach(i -> hosts.add(host(i)));
        assertEquals(host(1), hosts.take(host(1)::equals).address());
        assertNull(hosts.take(host(1)::equals));
        assertEquals(List.of(host(0), host(2)), hosts.some());
    }

    @Test
    void theEldestIsEvicted() {
        IntStream.range(0, HostCache.MAX_HOSTS + 5).forEach(i -> hosts.add(host(i)));
        // A host that is already cached evicts no other.
        hosts.add(host(HostCache.MAX_HOSTS));
        for (int i = 5; i < HostCache.MAX_HOSTS + 5; i++) {
            if (i != HostCache.MAX_HOSTS) {
                assertEquals(host(i), take());
            }
        }
        assertEquals(host(HostCache.MAX_HOSTS), take());
        assertNull(take());
    }

    @Test
    void returnsSomeAndKeepsThem() {
        assertEquals(List.of(), hosts.some());
        IntStream.range(0, HostCache.SOME + 1).forEach(i -> hosts.add(host(i)));
        List<InetSocketAddress> expected = IntStream.range(0, HostCache.SOME).mapToObj(HostCacheTest::host).toList();
        assertEquals(expected, hosts.some());
        assertEquals(expected, hosts.some());
    }
}

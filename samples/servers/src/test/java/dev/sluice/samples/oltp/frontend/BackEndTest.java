package dev.sluice.samples.oltp.frontend;

import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The links to a back-end that cannot be reached. */
class BackEndTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** The one that takes the place of the first one needs memory, too. */
    @Test
    void connectsAgainAfterMemoryHasLacked() throws Exception {
        InetSocketAddress nowhere = FreePort.address();
        AtomicInteger links = new AtomicInteger();
        ReactorGroup loop = ReactorGroup.builder().loops(1).open();
        try (BackEnds all = new BackEnds(List.of(nowhere), 1, TIMEOUT, loop, cause -> { })) {
            Reactor reactor = loop.loops().get(0);
            new BackEnd(all, nowhere, reactor, TIMEOUT).connect(1, () -> {
                if (links.incrementAndGet() == 2) {
                    throw new OutOfMemoryError("thrown by the test");
                }
                return new ParkedResponses(reactor);
            });
            Patience.until("a third link is tried", () -> links.get() > 2);
        }
    }
}

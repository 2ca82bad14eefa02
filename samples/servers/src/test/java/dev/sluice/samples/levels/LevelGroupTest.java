package dev.sluice.samples.levels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.connection.Acceptor;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.Background;
import dev.sluice.samples.lines.LineClient;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.StopRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

/** A group without threads, so that jobs stay in its queue; a reactor brings it clients. */
class LevelGroupTest {

    private static final SocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void queueIsBounded() throws Exception {
        try (LevelGroup group = new LevelGroup(new Level("idle", 0, Thread.NORM_PRIORITY),
                SocketAcceptor.open(ANY_PORT), "auto", 1, ConnectionLimit.NONE, new StopRequest());
                Reactor reactor = Reactor.open()) {
            Acceptor acceptor = Acceptor.listen(reactor, ANY_PORT, () -> new ClientHandler(group));
            int port = ((InetSocketAddress) acceptor.localAddress()).getPort();
            Background<Void> loop = Background.run(() -> {
                reactor.run();
                return null;
            });
            try (LineClient first = new LineClient(port)) {
                // It has been refused, so the job behind it is the next to be heard of.
                assertEquals("error expected 'ROUNDS TEXT' with at most 100000000 rounds",
                        first.ask("nonsense\n0 job"));
                try (LineClient second = new LineClient(port)) {
                    assertEquals("busy", second.ask("0 second"));
                    assertEquals("busy", second.ask("0 again"));
                }
            }
            assertEquals("idle: 0 jobs done, 2 refused, 1 in the queue", group.toString());
            reactor.stop();
            loop.result();
        }
    }
}

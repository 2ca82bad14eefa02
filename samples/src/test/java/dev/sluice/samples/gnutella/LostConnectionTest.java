package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.proactor.Proactor;
import dev.sluice.samples.Patience;
import dev.sluice.samples.gnutella.CatcherEvent.ConnectionLost;
import dev.sluice.samples.gnutella.CatcherEvent.Ending;
import dev.sluice.samples.gnutella.handshake.Version;
import dev.sluice.samples.server.EventLoopThread;
import dev.sluice.stage.EventBatch;
import dev.sluice.stage.Outcome;
import dev.sluice.stage.Stage;
import dev.sluice.stage.StageGraph;
import dev.sluice.stage.io.AsyncConnection;
import dev.sluice.stage.io.SocketOptions;
import dev.sluice.stage.io.SocketStages;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The catcher is told of a connection's end when it has looked after the others already. */
class LostConnectionTest {

    private static final int BACKLOG = 50;
    private static final int CONNECTIONS = 8;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private static InetSocketAddress address(ServerSocket listener) {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private static <E> void discard(EventBatch<E> batch) {
        E event = batch.next();
        while (event != null) {
            event = batch.next();
        }
    }

    private static void tell(Stage<Object> catcher, Object event) throws Exception {
        long before = catcher.handled();
        assertEquals(Outcome.ACCEPTED, catcher.queue().enqueue(event));
        Patience.until("it has been told", () -> catcher.handled() > before);
    }

    @Test
    void whoMayHaveToBeGreetedInTheOldWayIsNotIfThereIsNoRoomAnyMore() throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        try (ServerSocket first = new ServerSocket(0, BACKLOG, here);
                ServerSocket second = new ServerSocket(0, BACKLOG, here);
                EventLoopThread<Proactor> loop = new EventLoopThread<>("sockets", Proactor.open(), failure::set);
                StageGraph graph = new StageGraph("catcher")) {
            loop.start();
            Settings settings = new Settings(address(first), List.of(address(first), address(second)), 1, 1, 1, 1024,
                    1, Duration.ZERO, OverloadPolicy.THROTTLE, false, Patience.LIMIT, Patience.LIMIT);
            Peers peers = new Peers(CONNECTIONS, settings);
            SocketStages sockets = new SocketStages(graph, "catcher", loop.loop(),
                    new SocketOptions().connections(CONNECTIONS));
            // What the connections bring is nothing to the catcher.
            Stage<Object> server = graph.add(GnutellaServer.NAME, Object.class, LostConnectionTest::discard);
            graph.add(GnutellaRouter.NAME, RouterEvent.class, LostConnectionTest::discard);
            GnutellaCatcher handler = new GnutellaCatcher(peers, new HostCache(), settings, host -> false, sockets,
                    server.queue());
            Stage<Object> catcher = graph.add(GnutellaCatcher.NAME, Object.class, handler);
            handler.setQueue(catcher.queue());
            graph.start();

            tell(catcher, Tick.TICK);
            try (Servent lost = Servent.accepted(first)) {
                lost.readHead();
                AsyncConnection connection = peers.all().iterator().next().connection();
                // As the server does, which tells the catcher of it afterwards.
                peers.remove(connection);
                connection.close();
                tell(catcher, Tick.TICK);
                try (Servent other = Servent.accepted(second)) {
                    other.readHead();
                    tell(catcher, new ConnectionLost(new Candidate(address(first), Version.NEW, true),
                            Ending.WITHOUT_ANSWER));
                    tell(catcher, Tick.TICK);
                    // One that is being made counts, too.
                    Patience.until("no other connection", () -> sockets.connections() == 1);
                    first.setSoTimeout(1);
                    assertThrows(SocketTimeoutException.class, first::accept);
                    assertEquals(List.of(address(second)), peers.caught());
                }
            }
        }
        assertNull(failure.get());
    }
}

package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.proactor.Proactor;
import dev.sluice.samples.Patience;
import dev.sluice.samples.gnutella.CatcherEvent.ConnectionLost;
import dev.sluice.samples.gnutella.CatcherEvent.Ending;
import dev.sluice.samples.gnutella.CatcherEvent.HostFound;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The catcher is told of a connection's end when it has looked after the others already. */
class LostConnectionTest {

    private static final int BACKLOG = 50;
    private static final int CONNECTIONS = 8;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private ServerSocket first;
    private ServerSocket second;
    private EventLoopThread<Proactor> loop;
    private StageGraph graph;
    private SocketStages sockets;
    private Peers peers;
    private Stage<Object> catcher;

    @BeforeEach
    void listen() throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        first = new ServerSocket(0, BACKLOG, here);
        second = new ServerSocket(0, BACKLOG, here);
        loop = new EventLoopThread<>("sockets", Proactor.open(), failure::set);
        loop.start();
        graph = new StageGraph("catcher");
    }

    @AfterEach
    void close() throws Exception {
        graph.close();
        loop.close();
        first.close();
        second.close();
        assertNull(failure.get());
    }

    /** Has a catcher keep one connection. */
    private void start(InetSocketAddress... given) {
        Settings settings = new Settings(address(first), List.of(given), 1, 1, 1, 1024, 1, Duration.ZERO,
                OverloadPolicy.THROTTLE, false, Patience.LIMIT, Patience.LIMIT);
        peers = new Peers(CONNECTIONS, settings);
        sockets = new SocketStages(graph, "catcher", loop.loop(), new SocketOptions().connections(CONNECTIONS));
        // What the connections bring is nothing to the catcher.
        Stage<Object> server = graph.add(GnutellaServer.NAME, Object.class, LostConnectionTest::discard);
        graph.add(GnutellaRouter.NAME, RouterEvent.class, LostConnectionTest::discard);
        GnutellaCatcher handler = new GnutellaCatcher(peers, new HostCache(), settings, host -> false, sockets,
                server.queue());
        catcher = graph.add(GnutellaCatcher.NAME, Object.class, handler);
        handler.setQueue(catcher.queue());
        graph.start();
    }

    private static InetSocketAddress address(ServerSocket listener) {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private static <E> void discard(EventBatch<E> batch) {
        E event = batch.next();
        while (event != null) {
            event = batch.next();
        }
    }

    private void tell(Object event) throws Exception {
        long before = catcher.handled();
        assertEquals(Outcome.ACCEPTED, catcher.queue().enqueue(event));
        Patience.until("it has been told", () -> catcher.handled() > before);
    }

    /** As the server does, which tells the catcher of it afterwards. */
    private void lose() {
        AsyncConnection connection = peers.all().iterator().next().connection();
        peers.remove(connection);
        connection.close();
    }

    private void assertIsNotConnectedTo(ServerSocket listener) throws Exception {
        listener.setSoTimeout(1);
        assertThrows(SocketTimeoutException.class, listener::accept);
    }

    @Test
    void whoMayHaveToBeGreetedInTheOldWayIsNotIfThereIsNoRoomAnyMore() throws Exception {
        start(address(first), address(second));
        tell(Tick.TICK);
        try (Servent lost = Servent.accepted(first)) {
            lost.readHead();
            lose();
            tell(Tick.TICK);
            try (Servent other = Servent.accepted(second)) {
                other.readHead();
                tell(new ConnectionLost(new Candidate(address(first), Version.NEW, true), Ending.WITHOUT_ANSWER));
                tell(Tick.TICK);
                // One that is being made counts, too.
                Patience.until("no other connection", () -> sockets.connections() == 1);
                assertIsNotConnectedTo(first);
                assertEquals(List.of(address(second)), peers.caught());
            }
        }
    }

    /** Or one that takes each connection, and ends it, would have the router connect without end. */
    @ParameterizedTest
    @EnumSource(value = Ending.class, names = {"AFTER_GREETING", "REFUSED"})
    void whoWasToldOfAndGoesIsLeftAloneForAWhileWhoeverTellsOfItAgain(Ending ending) throws Exception {
        start();
        tell(new HostFound(address(first), true));
        try (Servent gone = Servent.accepted(first)) {
            gone.readHead();
            lose();
            tell(new ConnectionLost(new Candidate(address(first), Version.NEW, false), ending));
            tell(new HostFound(address(first), true));
            tell(Tick.TICK);
            Patience.until("no connection", () -> sockets.connections() == 0);
            assertIsNotConnectedTo(first);
            tell(new HostFound(address(second), true));
            try (Servent other = Servent.accepted(second)) {
                other.readHead();
            }
        }
    }
}

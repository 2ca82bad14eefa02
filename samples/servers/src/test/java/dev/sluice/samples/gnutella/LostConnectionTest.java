package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.samples.Patience;
import dev.sluice.samples.gnutella.CatcherEvent.ConnectionLost;
import dev.sluice.samples.gnutella.CatcherEvent.Ending;
import dev.sluice.samples.gnutella.CatcherEvent.HostFound;
import dev.sluice.samples.gnutella.handshake.Version;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the catcher makes of the end of a connection. */
class LostConnectionTest {

    private static final int BACKLOG = 50;

    private ServerSocket first;
    private ServerSocket second;

    @BeforeEach
    void listen() throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        first = new ServerSocket(0, BACKLOG, here);
        second = new ServerSocket(0, BACKLOG, here);
    }

    @AfterEach
    void close() throws Exception {
        first.close();
        second.close();
    }

    private static InetSocketAddress address(ServerSocket listener) {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private static void assertIsNotConnectedTo(ServerSocket listener) throws Exception {
        listener.setSoTimeout(1);
        assertThrows(SocketTimeoutException.class, listener::accept);
    }

    /** The catcher is notified after it has handled the other hosts. */
    @Test
    void oldHandshakeIsNotTriedIfConnectionsAreComplete() throws Exception {
        try (CatcherStages stages = new CatcherStages(Patience.LIMIT, address(first), address(second))) {
            stages.deliver(Tick.TICK);
            try (Servent lost = Servent.accepted(first)) {
                lost.readHead();
                stages.lose();
                stages.deliver(Tick.TICK);
                try (Servent other = Servent.accepted(second)) {
                    other.readHead();
                    stages.deliver(new ConnectionLost(new Candidate(address(first), Version.NEW, true),
                            Ending.WITHOUT_ANSWER));
                    stages.deliver(Tick.TICK);
                    // One that is being made counts, too.
                    Patience.until("no other connection", () -> stages.connections() == 1);
                    assertIsNotConnectedTo(first);
                    assertEquals(List.of(address(second)), stages.peers().caught());
                }
            }
        }
    }

    /** Or one that takes each connection, and ends it, would have the router connect without end. */
    @ParameterizedTest
    @EnumSource(value = Ending.class, names = {"AFTER_GREETING", "REFUSED"})
    void lostHostIsNotRetriedForAWhile(Ending ending) throws Exception {
        try (CatcherStages stages = new CatcherStages(Patience.LIMIT)) {
            stages.deliver(new HostFound(address(first), true));
            try (Servent gone = Servent.accepted(first)) {
                gone.readHead();
                stages.lose();
                stages.deliver(new ConnectionLost(new Candidate(address(first), Version.NEW, false), ending));
                stages.deliver(new HostFound(address(first), true));
                stages.deliver(Tick.TICK);
                Patience.until("no connection", () -> stages.connections() == 0);
                assertIsNotConnectedTo(first);
                stages.deliver(new HostFound(address(second), true));
                try (Servent other = Servent.accepted(second)) {
                    other.readHead();
                }
            }
        }
    }
}

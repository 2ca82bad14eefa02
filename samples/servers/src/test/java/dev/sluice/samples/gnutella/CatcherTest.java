package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.samples.Background;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.stages.Stage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whom a router connects to. */
class CatcherTest {

    private static final int BACKLOG = 50;
    /** As many as the paper has it keep. */
    private static final int KEPT = 4;
    private static final Duration SOON = Duration.ofSeconds(1);

    private ServerSocket given;
    private ServerSocket other;

    @BeforeEach
    void listen() throws Exception {
        given = listener();
        other = listener();
    }

    private static ServerSocket listener() throws Exception {
        return new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
    }

    @AfterEach
    void close() throws Exception {
        given.close();
        other.close();
    }

    private static InetSocketAddress address(ServerSocket listener) {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private static String inHeader(ServerSocket listener) {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    @Test
    void connectsToWhoIsGivenAndWhomPongsTellOf() throws Exception {
        try (RunningRouter router = RunningRouter.with().keep(2, address(given)).start()) {
            Servent first = router.own(Servent.accepted(given));
            assertEquals(List.of("GNUTELLA CONNECT/0.6", "User-Agent: Sluice", Servent.BYE), first.readHead());
            first.write("GNUTELLA/0.6 200 OK\r\n\r\n");
            assertEquals(List.of("GNUTELLA/0.6 200 OK"), first.readHead());
            WirePacket ping = first.receive();
            first.send(WirePacket.pong(ping, 1, router.address()), WirePacket.pong(ping, 1, address(other)));
            Servent second = router.own(Servent.accept(other));
            WirePacket query = WirePacket.query(3, 0, "from one to the other");
            first.send(query);
            assertEquals(query.hop(), second.await(WirePacket.QUERY));
            assertEquals(2, router.counts().own.sum());
        }
    }

    @Test
    void connectsToThoseThatABusyOneTellsOf() throws Exception {
        try (RunningRouter router = RunningRouter.with().keep(1, address(given)).start()) {
            Servent busy = router.own(Servent.accepted(given));
            busy.readHead();
            busy.write("GNUTELLA/0.6 503 Busy\r\nX-Try: " + inHeader(other) + "\r\n\r\n");
            assertEquals(List.of(), busy.receiveAll());
            Servent second = router.own(Servent.accept(other));
            second.fence();
        }
    }

    @Test
    void speaksTheOldWayToWhoDoesNotKnowTheNewOne() throws Exception {
        try (RunningRouter router = RunningRouter.with().keep(1, address(given)).start()) {
            try (Servent old = Servent.accepted(given)) {
                assertEquals("GNUTELLA CONNECT/0.6", old.readHead().get(0));
            }
            Servent again = router.own(Servent.accepted(given));
            assertEquals(List.of("GNUTELLA CONNECT/0.4"), again.readHead());
            again.write("GNUTELLA OK\n\n");
            again.expectDiscovery();
            again.fence();
        }
    }

    @Test
    void comesBackToWhoHasLeft() throws Exception {
        try (RunningRouter router = RunningRouter.with().keep(1, address(given)).start()) {
            for (int i = 0; i < 3; i++) {
                try (Servent servent = Servent.accept(given)) {
                    servent.fence();
                }
            }
        }
    }

    @Test
    void asksAgainWhileItKnowsNoOtherHost() throws Exception {
        try (RunningRouter router = RunningRouter.with().keep(2, address(given)).start()) {
            Servent only = router.own(Servent.accept(given));
            only.expectDiscovery();
            only.expectDiscovery();
        }
    }

    @Test
    void aFullRouterTellsOfWhomItKnows() throws Exception {
        try (RunningRouter router = RunningRouter.with().neighbours(1).start()) {
            Servent neighbour = router.neighbour("X-Try: " + inHeader(other));
            assertEquals(List.of(), neighbour.fence());
            // The addresses may still be queued between two stages.
            List<String> head = refusal(router);
            while (head.size() == 1) {
                head = refusal(router);
            }
            assertEquals(List.of("GNUTELLA/0.6 503 Busy", "X-Try: " + inHeader(other)), head);
        }
    }

    private static List<String> refusal(RunningRouter router) throws Exception {
        try (Servent refused = Servent.silent(router.address())) {
            refused.write("GNUTELLA CONNECT/0.6\r\n\r\n");
            List<String> head = refused.readHead();
            assertNull(refused.receive());
            return head;
        }
    }

    @Test
    void triesAnotherHostIfOneDoesNotAnswerInTime() throws Exception {
        List<Background<Void>> all = new ArrayList<>();
        for (String beginning : List.of("", "GNUT", "GNUTELLA/0.6 200 OK\r\nUser-Agent: Test\r\n")) {
            all.add(Background.run(() -> leaveForAnother(beginning)));
        }
        for (Background<Void> each : all) {
            each.result();
        }
    }

    private static Void leaveForAnother(String beginning) throws Exception {
        try (ServerSocket first = listener(); ServerSocket second = listener();
                RunningRouter router = RunningRouter.with().keep(1, address(first), address(second)).timeout(SOON)
                        .start()) {
            Servent silent = router.own(Servent.accepted(first));
            assertEquals("GNUTELLA CONNECT/0.6", silent.readHead().get(0));
            silent.write(beginning);
            Servent next = router.own(Servent.accept(second));
            next.fence();
            assertEquals(List.of(), silent.receiveAll());
            assertEquals(1, router.counts().refused.sum());
        }
        return null;
    }

    @ParameterizedTest
    @MethodSource
    void triesAnotherHostIfOneSendsNonsense(String nonsense) throws Exception {
        try (RunningRouter router = RunningRouter.with().keep(1, address(given), address(other)).start()) {
            Servent wrong = router.own(Servent.accepted(given));
            wrong.readHead();
            wrong.write(nonsense);
            Servent next = router.own(Servent.accept(other));
            next.fence();
            assertEquals(List.of(), wrong.receiveAll());
            assertEquals(0, router.stage(GnutellaServer.NAME).failed());
        }
    }

    static Stream<String> triesAnotherHostIfOneSendsNonsense() {
        return Stream.of("HTTP/1.1 400 Bad Request\r\n\r\n", "\r\n\r\n", "GNUTELLA/0.6\r\n\r\n",
                "GNUTELLA/0.6 two hundred\r\n\r\n", "GNUTELLA CONNECT/0.6\r\n\r\n", "\u0000\u00ff".repeat(3000),
                "GNUTELLA/0.6 200 OK\r\nX: " + "y".repeat(5000));
    }

    @Test
    void triesAnotherHostIfAConnectionIsRefused() throws Exception {
        try (RunningRouter router = RunningRouter.with().keep(1, FreePort.address(), address(given)).start()) {
            router.own(Servent.accept(given)).fence();
        }
    }

    @Test
    void keepsFourAndNoMoreAndReplacesWhoLeaves() throws Exception {
        List<ServerSocket> listeners = new ArrayList<>();
        for (int i = 0; i < KEPT + 2; i++) {
            listeners.add(listener());
        }
        try (RunningRouter router = RunningRouter.with().keep(KEPT,
                listeners.stream().map(CatcherTest::address).toArray(InetSocketAddress[]::new)).start()) {
            List<Servent> neighbours = new ArrayList<>();
            for (ServerSocket each : listeners.subList(0, KEPT)) {
                neighbours.add(router.own(Servent.accept(each)));
            }
            awaitLooks(router);
            assertNoConnectionWaits(listeners);
            neighbours.get(1).close();
            router.own(Servent.accept(listeners.get(KEPT))).fence();
            awaitLooks(router);
            assertNoConnectionWaits(listeners);
            assertEquals(KEPT + 1, router.counts().neighbours.sum());
            // The others have stayed.
            for (int i = 0; i < KEPT; i++) {
                if (i != 1) {
                    neighbours.get(i).fence();
                }
            }
        } finally {
            for (ServerSocket each : listeners) {
                each.close();
            }
        }
    }

    /** The catcher has seen that it has enough, some times. */
    private static void awaitLooks(RunningRouter router) throws Exception {
        Stage<?> catcher = router.stage(GnutellaCatcher.NAME);
        long before = catcher.handled();
        Patience.until("it looks whether it has enough", () -> catcher.handled() >= before + 3);
    }

    private static void assertNoConnectionWaits(List<ServerSocket> listeners) throws Exception {
        for (ServerSocket each : listeners) {
            each.setSoTimeout(1);
            assertThrows(SocketTimeoutException.class, each::accept);
        }
    }
}

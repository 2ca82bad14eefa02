package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom a router connects to. */
class CatcherTest {

    private static final int BACKLOG = 50;

    private ServerSocket given;
    private ServerSocket other;

    @BeforeEach
    void listen() throws Exception {
        given = new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
        other = new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
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
    void asksAgainWhileItKnowsNobodyElse() throws Exception {
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
            // What it was told may still be on its way from one stage to the other.
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
}

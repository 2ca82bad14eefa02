package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Routers and hosts with IPv6 addresses, for which the messages of 0.4 have no place. */
class LongAddressTest {

    private static final int BACKLOG = 50;
    private static InetAddress loopback;

    @BeforeAll
    static void requireIpv6() throws Exception {
        loopback = InetAddress.getByName("::1");
        assumeTrue(NetworkInterface.getByInetAddress(loopback) != null, "no IPv6 here");
    }

    /** What follows the header of a pong from ::1: an IPv4 address that no host has, and an extension. */
    private static String payload(int port) {
        return String.format("%02x%02x", port & 0xFF, port >> 8) + "7f000000" + "00".repeat(8) + "c3813650"
                + HexFormat.of().formatHex(loopback.getAddress());
    }

    @Test
    void aPingIsAnsweredWithThem() throws Exception {
        try (RunningRouter router = RunningRouter.with().address(new InetSocketAddress(loopback, 0)).start()) {
            Servent asker = router.neighbour();
            WirePacket ping = WirePacket.ping(1, 0);
            asker.send(ping);
            assertEquals(new WirePacket(ping.guid(), WirePacket.PONG, 1, 0, payload(router.address().getPort())),
                    asker.receive());
        }
    }

    @Test
    void connectsToTheHostThatAPongNames() throws Exception {
        try (ServerSocket given = new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
                ServerSocket other = new ServerSocket(0, BACKLOG, loopback);
                RunningRouter router = RunningRouter.with()
                        .keep(2, (InetSocketAddress) given.getLocalSocketAddress()).start()) {
            Servent first = router.own(Servent.accepted(given));
            first.readHead();
            first.write("GNUTELLA/0.6 200 OK\r\n\r\n");
            first.readHead();
            WirePacket ping = first.receive();
            first.send(new WirePacket(ping.guid(), WirePacket.PONG, 1, 0, payload(other.getLocalPort())));
            Servent second = router.own(Servent.accept(other));
            WirePacket query = WirePacket.query(3, 0, "from one to the other");
            first.send(query);
            assertEquals(query.hop(), second.await(WirePacket.QUERY));
        }
    }

    @Test
    void aPongWithNoAddressAtAllIsSentBackAndHasNoOtherUse() throws Exception {
        try (RunningRouter router = RunningRouter.start()) {
            Servent asker = router.neighbour();
            Servent answerer = router.neighbour();
            WirePacket ping = WirePacket.ping(5, 0);
            asker.send(ping);
            assertEquals(ping.hop(), answerer.receive());
            WirePacket pong = new WirePacket(ping.guid(), WirePacket.PONG, 2, 0, "ca187f000000" + "00".repeat(8));
            answerer.send(pong);
            assertEquals(List.of(), answerer.fence());
            assertEquals(WirePacket.pong(ping, 1, router.address()), asker.receive());
            assertEquals(pong.hop(), asker.receive());
            assertEquals(0, router.stage(GnutellaRouter.NAME).failed());
        }
    }
}

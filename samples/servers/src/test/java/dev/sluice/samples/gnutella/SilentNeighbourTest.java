package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.samples.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Hosts that neither leave nor say anything: those that have lost their power, and those that only want a place. */
class SilentNeighbourTest {

    private static final Duration SHORT = Duration.ofMillis(200);
    /** Half of it is enough for an answer on a busy machine. */
    private static final Duration LONG = Duration.ofSeconds(3);
    private static final int SILENT = 200;
    private static final int BACKLOG = 50;

    private static WirePacket expectQuestion(Servent neighbour) throws Exception {
        WirePacket ping = neighbour.receive();
        assertEquals(new WirePacket(ping.guid(), WirePacket.PING, 1, 0, ""), ping);
        return ping;
    }

    @Test
    void isAskedWhetherItIsThereAndThenClosed() throws Exception {
        try (RunningRouter router = RunningRouter.with().silence(SHORT).start()) {
            Servent silent = router.neighbour(Servent.BYE);
            expectQuestion(silent);
            WirePacket bye = silent.receive();
            assertEquals(WirePacket.BYE, bye.type());
            assertEquals(408, bye.byeCode());
            assertNull(silent.receive());
            Patience.until("it is counted", () -> router.counts().closed(ByeReason.SILENT) == 1);
        }
    }

    @Test
    void neighbourThatAnswersStays() throws Exception {
        try (RunningRouter router = RunningRouter.with().silence(LONG).start()) {
            Servent neighbour = router.neighbour();
            for (int i = 0; i < 2; i++) {
                WirePacket ping = expectQuestion(neighbour);
                neighbour.send(WirePacket.pong(ping, 1, new InetSocketAddress("127.0.0.1", 1)));
            }
            neighbour.fence();
            assertEquals(0, router.counts().closed(ByeReason.SILENT));
        }
    }

    /** However many connect and do not even greet, the router still finds room for those that it connects to. */
    @Test
    void manyDoNotTakeThePlacesOfThoseThatItConnectsTo() throws Exception {
        try (ServerSocket host = new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
                RunningRouter router = RunningRouter.with().neighbours(2)
                        .keep(1, (InetSocketAddress) host.getLocalSocketAddress()).start()) {
            try (Servent lost = Servent.accept(host)) {
                for (int i = 0; i < SILENT; i++) {
                    router.own(Servent.silent(router.address()));
                }
                Patience.until("all places are taken", () ->
                        router.stage(GnutellaServer.NAME).accepted() > GnutellaNode.SPARE_CONNECTIONS);
                lost.reset();
            }
            router.own(Servent.accept(host)).fence();
        }
    }
}

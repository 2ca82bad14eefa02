package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servents that break the protocol, or use it to the disadvantage of others. */
class HostilityTest {

    /** Long enough for a servent on a busy machine to send its part. */
    private static final Duration SOON = Duration.ofSeconds(1);
    /** But a router that has the time has been waiting until then. */
    private static final Duration NEXT_TO_NONE = Duration.ofMillis(200);
    /** One that grew would let the router send megabytes to a neighbour that does not read. */
    private static final int BUFFER = 64 * 1024;
    private static final Supplier<WirePacket[]> LONG_QUERIES = () -> Stream.generate(
            () -> WirePacket.query(2, 0, "x".repeat(4000))).limit(50).toArray(WirePacket[]::new);

    private static byte[] header(int type, int length) {
        byte[] header = new WirePacket(WirePacket.newGuid(), type, 5, 0, "").bytes();
        for (int i = 0; i < Integer.BYTES; i++) {
            header[19 + i] = (byte) (length >>> Byte.SIZE * i);
        }
        return header;
    }

    @ParameterizedTest
    @CsvSource({"0, 4097, 501", "1, 13, 501", "64, 25, 501", "128, 2, 501", "129, 26, 501", "2, 1, 501",
        "128, 65537, 400", "49, 65537, 400", "129, -1, 400", "0, -2147483648, 400"})
    void malformedHeadersCloseTheConnectionWithABye(int type, int length, int code) throws Exception {
        try (RunningRouter router = RunningRouter.start()) {
            Servent other = router.neighbour();
            Servent modern = router.neighbour(Servent.BYE);
            modern.write(header(type, length));
            WirePacket bye = modern.receive();
            assertEquals(new WirePacket(bye.guid(), WirePacket.BYE, 1, 0, bye.payload()), bye);
            assertEquals(code, bye.byeCode());
            assertEquals(List.of(), modern.receiveAll());
            Servent old = router.own(Servent.old(router.address()));
            old.write(header(type, length));
            assertEquals(List.of(), old.receiveAll());
            assertEquals(List.of(), other.fence());
        }
    }

    @Test
    void lateHandshakesAreClosed() throws Exception {
        String[] beginnings = {"", "GNUT", "GNUTELLA CONNECT/0.4\n", "GNUTELLA CONNECT/0.6\r\n"};
        try (RunningRouter router = RunningRouter.with().timeout(SOON).start()) {
            List<Servent> all = new ArrayList<>();
            for (String beginning : beginnings) {
                Servent silent = router.own(Servent.silent(router.address()));
                silent.write(beginning);
                all.add(silent);
            }
            for (int i = 0; i < beginnings.length; i++) {
                List<String> expected = beginnings[i].contains("0.6") ? List.of("GNUTELLA/0.6 408 Request Timeout")
                        : List.of();
                assertEquals(expected, all.get(i).readHead(), beginnings[i]);
                assertEquals(List.of(), all.get(i).receiveAll(), beginnings[i]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.0\r\n\r\n", "\n\n", "GNUTELLA CONNECT/0.6 please\r\n\r\n"})
    void aWrongGreetingIsClosed(String greeting) throws Exception {
        try (RunningRouter router = RunningRouter.start()) {
            Servent wrong = router.own(Servent.silent(router.address()));
            wrong.write(greeting);
            assertEquals(List.of(), wrong.receiveAll());
        }
    }

    @Test
    void fullRouterRefusesNeighboursUntilOneLeaves() throws Exception {
        try (RunningRouter router = RunningRouter.with().neighbours(1).start()) {
            Servent first = router.neighbour();
            Servent second = router.own(Servent.silent(router.address()));
            second.write("GNUTELLA CONNECT/0.6\r\n\r\n");
            assertEquals(List.of("GNUTELLA/0.6 503 Busy"), second.readHead());
            assertEquals(List.of(), second.receiveAll());
            Servent old = router.own(Servent.silent(router.address()));
            old.write("GNUTELLA CONNECT/0.4\n\n");
            assertEquals(List.of(), old.receiveAll());
            first.endOutput();
            first.receiveAll();
            // The place is free when the router knows that it is closed.
            Patience.until("there is room", () -> {
                try (Servent third = Servent.connect(router.address())) {
                    return third.fence().isEmpty();
                } catch (AssertionError | IOException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void neighbourThatNeverReadsIsClosedAndDelaysNoOther() throws Exception {
        try (RunningRouter router = RunningRouter.with().outgoingBytes(64 * 1024).tolerance(NEXT_TO_NONE).timeout(SOON)
                .start()) {
            Servent talker = router.neighbour();
            Servent notReading = router.own(Servent.withBuffer(BUFFER, router.address(), Servent.BYE));
            while (router.counts().closed(ByeReason.TOO_SLOW) == 0) {
                talker.send(LONG_QUERIES.get());
                assertEquals(List.of(), talker.fence());
            }
            Patience.until("it is closed", () -> isClosed(notReading));
            assertEquals(List.of(), talker.fence());
        }
    }

    private static boolean isClosed(Servent servent) {
        try {
            servent.send(WirePacket.ping(1, 0));
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void slowNeighbourGetsAByeThatSaysSo() throws Exception {
        try (RunningRouter router =
                RunningRouter.with().outgoingBytes(64 * 1024).tolerance(NEXT_TO_NONE).start()) {
            Servent talker = router.neighbour();
            Servent slow = router.own(Servent.withBuffer(BUFFER, router.address(), Servent.BYE));
            while (router.counts().closed(ByeReason.TOO_SLOW) == 0) {
                talker.send(LONG_QUERIES.get());
            }
            List<WirePacket> all = slow.receiveAll();
            WirePacket last = all.get(all.size() - 1);
            assertEquals(WirePacket.BYE, last.type());
            assertEquals(502, last.byeCode());
            assertTrue(all.subList(0, all.size() - 1).stream().allMatch(each -> each.type() == WirePacket.QUERY));
            assertEquals(List.of(), talker.fence());
        }
    }

    @Test
    void routerWaitsForSlowReadersWithinTheTolerance() throws Exception {
        // The router waits longer than any servent sleeps, even on a busy machine.
        try (RunningRouter router =
                RunningRouter.with().outgoingBytes(64 * 1024).tolerance(Duration.ofHours(1)).start()) {
            Servent talker = router.neighbour();
            Servent listener = router.neighbour();
            int rounds = Depth.times(100, 200, 400);
            Background<Object> talking = Background.run(() -> {
                for (int i = 0; i < rounds; i++) {
                    talker.send(numbered(i));
                }
                return null;
            });
            for (int i = 0; i < rounds; i++) {
                for (WirePacket query : numbered(i)) {
                    assertEquals(query.hop(), listener.receive());
                }
            }
            talking.result();
            assertEquals(0, router.dropped(DropReason.BEHIND));
            assertEquals(0, router.counts().closed(ByeReason.TOO_SLOW));
        }
    }

    /** Queries whose identifiers and texts follow from the round. */
    private static WirePacket[] numbered(int round) {
        return IntStream.range(0, 50).mapToObj(i -> new WirePacket(String.format("%032x", round * 50 + i),
                WirePacket.QUERY, 2, 0, "0000" + "61".repeat(1000) + "00")).toArray(WirePacket[]::new);
    }

    @Test
    void pausedReaderLosesOnlyItsOwnMessages() throws Exception {
        try (RunningRouter router = RunningRouter.with().outgoingBytes(64 * 1024).start()) {
            Servent talker = router.neighbour();
            Servent notReading = router.own(Servent.withBuffer(BUFFER, router.address(), Servent.BYE));
            Servent listener = router.neighbour();
            long sent = 0;
            while (router.dropped(DropReason.BEHIND) == 0) {
                WirePacket[] queries = LONG_QUERIES.get();
                talker.send(queries);
                assertEquals(List.of(), talker.fence());
                assertEquals(queries.length, listener.fence().size());
                sent += queries.length;
            }
            // It has not been closed for that.
            List<WirePacket> got = notReading.fence();
            assertTrue(got.size() < sent, () -> got.size() + " queries");
            talker.send(WirePacket.query(2, 0, "again"));
            assertEquals(List.of(), talker.fence());
            assertEquals(1, notReading.fence().size());
        }
    }

    @Test
    void randomStreamsHarmNoOtherNeighbour() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (RunningRouter router = RunningRouter.start()) {
            Servent asker = router.neighbour();
            Servent answerer = router.neighbour();
            for (int i = 0; i < 200; i++) {
                try (Servent hostile = Servent.silent(router.address())) {
                    torment(hostile, random);
                }
            }
            WirePacket query = WirePacket.query(7, 0, "still there?");
            asker.send(query);
            List<WirePacket> arrived = answerer.fence();
            asker.fence();
            arrived.addAll(answerer.fence());
            assertTrue(arrived.contains(query.hop()), "seed " + seed);
            assertEquals(0, router.stage(GnutellaServer.NAME).failed(), "seed " + seed);
            assertEquals(0, router.stage(GnutellaRouter.NAME).failed(), "seed " + seed);
        }
    }

    /** Some begin well, and end in any way. */
    private static void torment(Servent hostile, Random random) throws IOException {
        byte[] noise = new byte[random.nextInt(3000)];
        random.nextBytes(noise);
        try {
            switch (random.nextInt(4)) {
                case 0 -> hostile.write(noise);
                case 1 -> {
                    hostile.write("GNUTELLA CONNECT/0.4\n\n");
                    hostile.write(noise);
                }
                case 2 -> {
                    hostile.greet(Servent.BYE);
                    hostile.write(mutated(random));
                }
                default -> {
                    hostile.greet();
                    hostile.write(mutated(random));
                    hostile.reset();
                }
            }
        } catch (SocketException e) {
            // The router was faster.
        }
    }

    /** Messages with some bytes changed. */
    private static byte[] mutated(Random random) {
        StringBuilder payload = new StringBuilder("00".repeat(14 + random.nextInt(40)));
        byte[] all = new byte[0];
        int[] types = {WirePacket.PING, WirePacket.PONG, WirePacket.PUSH, WirePacket.QUERY, WirePacket.HITS, 0x31};
        for (int i = 0; i < 20; i++) {
            byte[] next = new WirePacket(WirePacket.newGuid(), types[random.nextInt(types.length)],
                    random.nextInt(20), random.nextInt(10), payload.toString()).bytes();
            byte[] more = Arrays.copyOf(all, all.length + next.length);
            System.arraycopy(next, 0, more, all.length, next.length);
            all = more;
        }
        for (int i = 0; i < random.nextInt(6); i++) {
            all[random.nextInt(all.length)] = (byte) random.nextInt();
        }
        return all;
    }
}

package dev.sluice.samples.gnutella;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.sluice.campaign.Campaign;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A peer that sends nearly correct messages harms neither a router nor its other neighbours. */
@Tag(Campaign.TAG)
class GnutellaFuzzTest {

    private static final int ROUNDS = Campaign.count(100, 30_000);
    /** So many stay while others come. */
    private static final int GUESTS = 16;
    private static final int MAX_MESSAGES = 12;
    private static final int MAX_MUTATIONS = 6;
    private static final int HEADER = 23;
    private static final String NEW_GREETING = "GNUTELLA CONNECT/0.6\r\nUser-Agent: Test\r\nX-Try: 192.0.2.1:6346\r\n"
            + "Bye-Packet: 0.1\r\n\r\nGNUTELLA/0.6 200 OK\r\n\r\n";
    private static final String OLD_GREETING = "GNUTELLA CONNECT/0.4\n\n";

    private final Campaign campaign = Campaign.begin("fuzzing of gnutella");
    private final Deque<Servent> guests = new ArrayDeque<>();

    @Test
    void theOthersTalkAsBefore() throws Exception {
        try (RunningRouter router = RunningRouter.start()) {
            Servent asker = router.neighbour();
            Servent answerer = router.neighbour();
            wholeStreamsArrive(router, answerer);
            for (int round = 0; round < ROUNDS; round++) {
                Random random = campaign.random(round);
                byte[] stream = mutated(valid(random, random.nextBoolean()), random);
                try {
                    send(router, stream, random);
                    talk(asker, answerer);
                } catch (IOException | AssertionError e) {
                    throw new AssertionError(campaign + ", round " + round + ": "
                            + HexFormat.of().formatHex(stream), e);
                }
            }
            while (!guests.isEmpty()) {
                guests.pop().close();
            }
            talk(router.neighbour(), answerer);
            talk(asker, answerer);
            for (String stage : new String[] {GnutellaServer.NAME, GnutellaRouter.NAME, GnutellaCatcher.NAME}) {
                assertEquals(0, router.stage(stage).failed(), () -> campaign + ", " + stage);
            }
        }
    }

    /** What is not changed is understood, or all that is done to it would be for nothing. */
    private void wholeStreamsArrive(RunningRouter router, Servent answerer) throws IOException {
        for (boolean modern : new boolean[] {false, true}) {
            try (Servent servent = Servent.silent(router.address())) {
                WirePacket query = WirePacket.query(5, 0, "whole");
                servent.write((modern ? NEW_GREETING : OLD_GREETING).getBytes(US_ASCII));
                servent.send(query);
                awaitGuid(answerer, query);
            }
        }
    }

    /** A question goes one way, and its answer the other, whatever else comes. */
    private static void talk(Servent asker, Servent answerer) throws IOException {
        WirePacket query = WirePacket.query(5, 0, "still there?");
        asker.send(query);
        assertEquals(query.hop(), awaitGuid(answerer, query));
        WirePacket hits = WirePacket.hits(query, 5, WirePacket.newGuid());
        answerer.send(hits);
        assertEquals(hits.hop(), awaitGuid(asker, hits));
    }

    private static WirePacket awaitGuid(Servent servent, WirePacket wanted) throws IOException {
        WirePacket next = servent.receive();
        while (next != null && !(next.guid().equals(wanted.guid()) && next.type() == wanted.type())) {
            next = servent.receive();
        }
        assertNotNull(next, "it is closed");
        return next;
    }

    /** In pieces of any size; it ends in any way, or stays. */
    private void send(RunningRouter router, byte[] stream, Random random) throws IOException {
        Servent hostile = Servent.silent(router.address());
        try {
            int at = 0;
            while (at < stream.length) {
                int end = Math.min(stream.length, at + 1 + random.nextInt(random.nextBoolean() ? 40 : 4000));
                hostile.write(Arrays.copyOfRange(stream, at, end));
                at = end;
            }
            switch (random.nextInt(4)) {
                case 0 -> hostile.reset();
                case 1 -> hostile.close();
                case 2 -> hostile.endOutput();
                default -> { }
            }
        } catch (IOException e) {
            // It has been closed for what it has said.
        }
        guests.add(hostile);
        if (guests.size() > GUESTS) {
            guests.remove().close();
        }
    }

    // Streams

    private static byte[] valid(Random random, boolean modern) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes((modern ? NEW_GREETING : OLD_GREETING).getBytes(US_ASCII));
        String guid = guid(random);
        for (int i = random.nextInt(MAX_MESSAGES); i >= 0; i--) {
            // Some answer or repeat what came before.
            guid = random.nextInt(3) == 0 ? guid : guid(random);
            stream.writeBytes(message(random, guid).bytes());
        }
        return stream.toByteArray();
    }

    private static String guid(Random random) {
        return hex(random, 16);
    }

    private static String hex(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static WirePacket message(Random random, String guid) {
        int ttl = random.nextInt(8);
        int hops = random.nextInt(8 - ttl);
        return switch (random.nextInt(7)) {
            case 0 -> new WirePacket(guid, WirePacket.PING, ttl, hops, "");
            case 1 -> new WirePacket(guid, WirePacket.PONG, ttl, hops, hex(random, 14));
            case 2 -> new WirePacket(guid, WirePacket.PUSH, ttl, hops, hex(random, 26));
            case 3 -> new WirePacket(guid, WirePacket.QUERY, ttl, hops, "0000" + hex(random, random.nextInt(200))
                    + "00");
            case 4 -> new WirePacket(guid, WirePacket.HITS, ttl, hops, hex(random, 27 + random.nextInt(300)));
            case 5 -> new WirePacket(guid, WirePacket.BYE, 1, 0, "c800" + hex(random, random.nextInt(20)) + "00");
            default -> new WirePacket(guid, 0x31, ttl, hops, hex(random, random.nextInt(3000)));
        };
    }

    private static byte[] mutated(byte[] valid, Random random) {
        byte[] bytes = valid;
        for (int i = random.nextInt(MAX_MUTATIONS); i >= 0; i--) {
            bytes = mutatedOnce(bytes, random);
        }
        return bytes;
    }

    private static byte[] mutatedOnce(byte[] bytes, Random random) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(bytes.length);
        int end = Math.min(bytes.length, at + 1 + random.nextInt(2 * HEADER));
        return switch (random.nextInt(7)) {
            case 0 -> with(bytes, at, (byte) random.nextInt());
            case 1 -> with(bytes, at, (byte) (bytes[at] ^ 1 << random.nextInt(Byte.SIZE)));
            // The largest and smallest of what a length, a TTL or hops can be.
            case 2 -> with(bytes, at, (byte) (random.nextBoolean() ? 0 : random.nextBoolean() ? 0xFF : 0x80));
            case 3 -> joined(bytes, at, new byte[0], end);
            case 4 -> joined(bytes, end, Arrays.copyOfRange(bytes, at, end), end);
            case 5 -> {
                byte[] noise = new byte[1 + random.nextInt(2 * HEADER)];
                random.nextBytes(noise);
                yield joined(bytes, at, noise, at);
            }
            default -> Arrays.copyOf(bytes, at);
        };
    }

    private static byte[] with(byte[] bytes, int at, byte value) {
        byte[] changed = bytes.clone();
        changed[at] = value;
        return changed;
    }

    /** What is before {@code end}, something between, and what is from {@code next} on. */
    private static byte[] joined(byte[] bytes, int end, byte[] between, int next) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(bytes, 0, end);
        all.writeBytes(between);
        all.write(bytes, next, bytes.length - next);
        return all.toByteArray();
    }
}

package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyslogFramerTest {

    private static final int MAX = 12;

    private static Arguments stream(String octets, String... events) {
        return Arguments.of(octets, List.of(events));
    }

    private static Stream<Arguments> streams() {
        return Stream.of(
                stream(""),
                stream("<1>a\n", "record <1>a"),
                stream("<1>a\n<2>b\n", "record <1>a", "record <2>b"),
                stream("<1>a\r\n<2>b\r\n", "record <1>a", "record <2>b"),
                stream("<1>a\0<2>b\0", "record <1>a", "record <2>b"),
                stream("<1>a\r\0<2>b\n", "record <1>a\r", "record <2>b"),
                stream("a\rb\r\r\n", "record a\rb\r"),
                stream("\n\n<1>a\n\n\r\n\0\0\n<2>b\n\n", "record <1>a", "record <2>b"),
                stream(" \n\t<1>\n", "record  ", "record \t<1>"),
                stream("\u00ff\u0080\n", "record \u00ff\u0080"),
                stream("4 <1>a", "record <1>a"),
                stream("4 <1>a4 <2>b5 <3>cd", "record <1>a", "record <2>b", "record <3>cd"),
                stream("4 \n\0\r\n1 12 34", "record \n\0\r\n", "record 1", "record 34"),
                stream("4 <1>a\n4 <2>b\r\n", "record <1>a", "record <2>b"),
                stream("4  5 x1  ", "record  5 x", "record  "),
                stream("12 123456789012<1>\n", "record 123456789012", "record <1>"),
                stream("<1>a\n4 <2>b<3>c\n4 <4>d5 <5>ee\r\n<6>\0", "record <1>a", "record <2>b", "record <3>c",
                        "record <4>d", "record <5>ee", "record <6>"),

                stream("123456789012\n".replace('1', 'x'), "record x234567890x2"),
                stream("x23456789012\r\n<1>", "record x23456789012", "record <1>"),
                stream("x234567890123\n<1>a\n", "oversized 13", "record <1>a"),
                stream("x234567890123\r\n<1>a\n", "oversized 13", "record <1>a"),
                stream("x23456789012\r\0<1>a\n", "oversized 13", "record <1>a"),
                stream("x234567890123\r\0<1>a\n", "oversized 14", "record <1>a"),
                stream("x23456789012\rz\r\n<1>a\n", "oversized 14", "record <1>a"),
                stream("x2345678901234567890\0" + "3 <1>", "oversized 20", "record <1>"),
                stream("13 1234567890\n234 <1>a", "oversized 13", "record <1>a"),
                stream("26 \n\n\n\n\n1 34567890\n2345678901<1>a\n", "oversized 26", "record <1>a"),
                stream("14 12345678901234x2345678901234\n4 <1>a", "oversized 14", "oversized 14", "record <1>a"),

                stream("<1>a", "record <1>a"),
                stream("<1>a\r", "record <1>a"),
                stream("\r"),
                stream("<1>a\n<2>b", "record <1>a", "record <2>b"),
                stream("x23456789012", "record x23456789012"),
                stream("x23456789012\r", "record x23456789012"),
                stream("x234567890123", "oversized 13"),
                stream("x2345678901234\r", "oversized 14"),
                stream("4 <1>", "truncated 3 of 4"),
                stream("4 ", "truncated 0 of 4"),
                stream("4", "truncated 0 of -1"),
                stream("<1>a\n44", "record <1>a", "truncated 0 of -1"),
                stream("13 x", "oversized 13"),
                stream("9999999999 x", "oversized 9999999999"),

                stream("0 x\n<1>a\n", "error octet count begins with 0"),
                stream("012 x", "error octet count begins with 0"),
                stream("<1>a\n0", "record <1>a", "error octet count begins with 0"),
                stream("12345678901 x\n<1>a\n", "error octet count has more than 10 digits"),
                stream("4<1>a\n<1>a\n", "error octet count not followed by a space"),
                stream("4\n<1>a\n", "error octet count not followed by a space"),
                stream("4\0", "error octet count not followed by a space"),
                stream("4 <1>a5x12345\n3 <1>", "record <1>a", "error octet count not followed by a space"));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void wholeStreamInOneChunk(String octets, List<String> events) {
        for (ChunkKind kind : ChunkKind.values()) {
            assertEquals(events, FramerEvents.of(MAX, octets, kind), kind.name());
        }
    }

    @ParameterizedTest
    @MethodSource("streams")
    void octetByOctet(String octets, List<String> events) {
        int[] everywhere = IntStream.range(0, octets.length()).toArray();
        for (ChunkKind kind : ChunkKind.values()) {
            assertEquals(events, FramerEvents.of(MAX, octets, kind, everywhere), kind.name());
        }
    }

    @ParameterizedTest
    @MethodSource("streams")
    void cutAtAnyTwoPlaces(String octets, List<String> events) {
        for (ChunkKind kind : ChunkKind.values()) {
            for (int first = 0; first <= octets.length(); first++) {
                for (int second = first; second <= octets.length(); second++) {
                    assertEquals(events, FramerEvents.of(MAX, octets, kind, first, second),
                            kind + " cut at " + first + " and " + second);
                }
            }
        }
    }

    private static Stream<Arguments> brokenStreams() {
        return Stream.of(
                stream(""),
                stream("<1>a\n", "record <1>a"),
                stream("4 <1>a", "record <1>a"),
                stream("<1>a\n<2>b", "record <1>a", "truncated 4 of -1"),
                stream("<1>a\0<2>b\r", "record <1>a", "truncated 4 of -1"),
                stream("<1>a\n\r", "record <1>a"),
                stream("<1>a\r\n\n", "record <1>a"),
                stream("x23456789012", "truncated 12 of -1"),
                stream("x23456789012\r", "truncated 12 of -1"),
                stream("x234567890123", "truncated 13 of -1"),
                stream("x2345678901234", "oversized 14"),
                stream("4 <1>", "truncated 3 of 4"),
                stream("4 ", "truncated 0 of 4"),
                stream("<1>a\n44", "record <1>a", "truncated 0 of -1"),
                stream("13 x", "oversized 13"),
                stream("0 x", "error octet count begins with 0"));
    }

    @ParameterizedTest
    @MethodSource("brokenStreams")
    void streamsThatAreBrokenOff(String octets, List<String> events) {
        for (ChunkKind kind : ChunkKind.values()) {
            for (int cut = 0; cut <= octets.length(); cut++) {
                assertEquals(events, FramerEvents.ofBroken(MAX, octets, kind, cut), kind + " cut at " + cut);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("streams")
    void throughScratchSmallerThanTheChunk(String octets, List<String> events) {
        for (int size = 1; size <= 5; size++) {
            FramerEvents sink = new FramerEvents();
            SyslogFramer framer = new SyslogFramer(MAX, new byte[size]);
            framer.append(ChunkKind.DIRECT.of(octets.getBytes(ISO_8859_1)), sink);
            framer.end(sink);
            assertEquals(events, sink.seen, "scratch of " + size);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4711, 20090301, 6587})
    void randomStreamsInRandomChunks(long seed, TestReporter reporter) {
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        for (int round = 0; round < 400; round++) {
            int max = 1 + random.nextInt(round % 10 == 0 ? 5000 : 60);
            List<String> events = new ArrayList<>();
            String octets = randomStream(random, max, events);
            int[] cuts = random.ints(random.nextInt(40), 0, octets.length() + 1).sorted().toArray();
            ChunkKind kind = ChunkKind.values()[random.nextInt(ChunkKind.values().length)];
            assertEquals(events, FramerEvents.of(max, octets, kind, cuts),
                    "seed " + seed + " round " + round + " cuts " + Arrays.toString(cuts));
        }
    }

    private static String randomStream(Random random, int max, List<String> events) {
        StringBuilder octets = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            int length = 1 + random.nextInt(random.nextInt(4) == 0 ? 3 * max : max);
            StringBuilder text = new StringBuilder();
            boolean counted = random.nextBoolean();
            while (text.length() < length) {
                char c = (char) random.nextInt(random.nextInt(4) == 0 ? 14 : 256);
                boolean unfit = c == '\n' || c == 0 || text.length() == 0 && c >= '0' && c <= '9'
                        || text.length() == length - 1 && c == '\r';
                if (counted || !unfit) {
                    text.append(c);
                }
            }
            if (counted) {
                octets.append(length).append(' ').append(text);
            } else {
                octets.append(text).append(random.nextInt(3) == 0 ? "\0" : random.nextBoolean() ? "\n" : "\r\n");
            }
            if (random.nextInt(5) == 0) {
                octets.append("\n");
            }
            events.add(length > max ? "oversized " + length : "record " + text);
        }
        return octets.toString();
    }

    @Test
    void wholeRecordIsHandedOnWhereItLies() {
        byte[] array = "xx<1>a\n4 <2>b".getBytes(US_ASCII);
        List<Integer> offsets = new ArrayList<>();
        SyslogFramer framer = new SyslogFramer();
        framer.append(ByteBuffer.wrap(array, 2, array.length - 2), new FramerEvents() {
            @Override
            public void record(byte[] recordArray, int offset, int length) {
                assertSame(array, recordArray);
                offsets.add(offset);
            }
        });
        assertEquals(List.of(2, 9), offsets);
        assertEquals(0, framer.heldCapacity());
    }

    @Test
    void wholeRecordOfADirectChunkLiesInTheScratch() {
        byte[] scratch = new byte[64];
        List<Integer> lengths = new ArrayList<>();
        SyslogFramer framer = new SyslogFramer(100, scratch);
        framer.append(ChunkKind.DIRECT.of("<1>a\n4 <2>b".getBytes(US_ASCII)), new FramerEvents() {
            @Override
            public void record(byte[] array, int offset, int length) {
                assertSame(scratch, array);
                lengths.add(length);
            }
        });
        assertEquals(List.of(4, 4), lengths);
        assertEquals(0, framer.heldCapacity());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void heldMemoryFollowsWhatHasBeenReceived(boolean counted) {
        int max = SyslogFramer.DEFAULT_MAX_RECORD;
        FramerEvents sink = new FramerEvents();
        SyslogFramer framer = new SyslogFramer();
        framer.append(ByteBuffer.wrap(((counted ? max + " " : "") + "<1>").getBytes(US_ASCII)), sink);
        assertTrue(framer.heldCapacity() <= 256, () -> "held " + framer.heldCapacity());
        byte[] piece = "x".repeat(1000).getBytes(US_ASCII);
        for (int sent = 3; sent < max; ) {
            int n = Math.min(piece.length, max - sent);
            framer.append(ByteBuffer.wrap(piece, 0, n), sink);
            sent += n;
            assertTrue(framer.heldCapacity() <= max + 1, () -> "held " + framer.heldCapacity());
            assertTrue(framer.heldCapacity() <= Math.max(256, 2 * sent), () -> "held " + framer.heldCapacity());
        }
        framer.append(ByteBuffer.wrap((counted ? "" : "\n").getBytes(US_ASCII)), sink);
        assertEquals(1, sink.seen.size());
        assertEquals("record ".length() + max, sink.seen.get(0).length());
        assertEquals(0, framer.heldCapacity());
    }

    @Test
    void oversizedLineIsNotHeld() {
        FramerEvents sink = new FramerEvents();
        SyslogFramer framer = new SyslogFramer(5000);
        byte[] piece = "x".repeat(1000).getBytes(US_ASCII);
        for (int i = 0; i < 100; i++) {
            framer.append(ByteBuffer.wrap(piece), sink);
        }
        assertEquals(0, framer.heldCapacity());
        framer.append(ByteBuffer.wrap("\n<1>a\n".getBytes(US_ASCII)), sink);
        assertEquals(List.of("oversized 100000", "record <1>a"), sink.seen);
    }

    @Test
    void countedRecordBeyondFourGigabytesIsSkippedExactly() {
        FramerEvents sink = new FramerEvents();
        SyslogFramer framer = new SyslogFramer(10);
        long announced = 5_000_000_000L;
        framer.append(ByteBuffer.wrap((announced + " ").getBytes(US_ASCII)), sink);
        ByteBuffer zeros = ByteBuffer.allocate(1_000_000);
        for (long sent = 0; sent < announced; sent += zeros.capacity()) {
            framer.append(zeros.clear(), sink);
        }
        framer.append(ByteBuffer.wrap("<1>a\n".getBytes(US_ASCII)), sink);
        assertEquals(List.of("oversized " + announced, "record <1>a"), sink.seen);
    }

    @Test
    void steadyStateAllocatesNothing() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] octets = ("<13>1 - vm app - - - " + "x".repeat(300) + "\n" + "30 <13>Nov 21 09:23:31 vm app: hi")
                .getBytes(US_ASCII);
        ByteBuffer heap = ByteBuffer.wrap(octets);
        ByteBuffer direct = ChunkKind.DIRECT.of(octets);
        long[] records = new long[1];
        RecordSink sink = new RecordSink() {
            @Override
            public void record(byte[] array, int offset, int length) {
                records[0]++;
            }

            @Override
            public void oversized(long length) {
                throw new AssertionError();
            }

            @Override
            public void truncated(long announced, long received) {
                throw new AssertionError();
            }

            @Override
            public void framingError(String reason) {
                throw new AssertionError(reason);
            }
        };
        SyslogFramer framer = new SyslogFramer();
        long before = 0;
        for (int round = 0; round < 20_000; round++) {
            if (round == 10_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            ByteBuffer chunk = round % 2 == 0 ? heap : direct;
            int cut = round % octets.length;
            framer.append(chunk.limit(cut).position(0), sink);
            framer.append(chunk.limit(octets.length), sink);
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(40_000, records[0]);
        assertTrue(allocated < 10_000, "octets allocated in 10000 rounds: " + allocated);
    }

    @Test
    void framingErrorIsReportedOnceAndTheRestDiscarded() {
        FramerEvents sink = new FramerEvents();
        SyslogFramer framer = new SyslogFramer();
        framer.append(ByteBuffer.wrap("5x".getBytes(US_ASCII)), sink);
        ByteBuffer more = ByteBuffer.wrap("\n<1>a\n5x".getBytes(US_ASCII));
        framer.append(more, sink);
        framer.end(sink);
        assertEquals(0, more.remaining());
        assertEquals(List.of("error octet count not followed by a space"), sink.seen);
    }

    @Test
    void nothingFollowsTheEnd() {
        FramerEvents sink = new FramerEvents();
        SyslogFramer framer = new SyslogFramer();
        framer.append(ByteBuffer.wrap("<1>a".getBytes(US_ASCII)), sink);
        framer.end(sink);
        framer.end(sink);
        framer.cut(sink);
        assertEquals(List.of("record <1>a"), sink.seen);
        assertThrows(IllegalStateException.class, () -> framer.append(ByteBuffer.allocate(0), sink));
    }

    @Test
    void senselessSizesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new SyslogFramer(0));
        assertThrows(IllegalArgumentException.class, () -> new SyslogFramer(SyslogFramer.LARGEST_MAX_RECORD + 1));
        assertThrows(IllegalArgumentException.class, () -> new SyslogFramer(1, new byte[0]));
    }
}

package dev.sluice.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FramerTest {

    private static final int MAX = 5;

    private final List<String> frames = new ArrayList<>();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
    }

    private void add(ByteBuffer frame) {
        frames.add(ISO_8859_1.decode(frame).toString());
    }

    /** Bytes, and the frames in them. */
    private record Case(Function<FrameHandler, Framer> framer, String bytes, List<String> frames, int pending) {

        @Override
        public String toString() {
            return bytes.replace("\r", "\\r").replace("\n", "\\n") + " -> " + frames;
        }
    }

    private static Stream<Case> cases() {
        Function<FrameHandler, Framer> lines = handler -> Framer.lines(MAX, handler);
        Function<FrameHandler, Framer> prefixed = handler -> Framer.lengthPrefixed(2, 300, handler);
        return Stream.of(
                new Case(lines, "a\nbc\r\n\n\r\nd\re\r\r\nfg", List.of("a", "bc", "", "", "d\re\r"), 2),
                new Case(lines, "12345\n12345\r\n12345\r", List.of("12345", "12345"), 6),
                new Case(lines, "\n", List.of(""), 0),
                new Case(prefixed, "\0\3abc\0\0\0\1d\1\0" + "x".repeat(256) + "\0",
                        List.of("abc", "", "d", "x".repeat(256)), 1),
                new Case(prefixed, "\0\0", List.of(""), 0),
                new Case(handler -> Framer.lengthPrefixed(4, MAX, handler), "\0\0\0\5abcde\0\0\0", List.of("abcde"), 3),
                new Case(handler -> Framer.lengthPrefixed(1, 255, handler), "\u00ff" + "y".repeat(255),
                        List.of("y".repeat(255)), 0),
                new Case(handler -> Framer.fixed(3, handler), "abcdefgh", List.of("abc", "def"), 2),
                new Case(handler -> Framer.fixed(1, handler), "ab", List.of("a", "b"), 0));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void findsTheSameFramesHoweverTheBytesArrive(Case given) throws Exception {
        Random random = new Random(1);
        for (int most = 1; most <= given.bytes.length() + 1; most = most < 8 ? most + 1 : most * 2) {
            for (int round = 0; round < 20; round++) {
                frames.clear();
                Framer framer = given.framer.apply(this::add);
                ByteBuffer all = round % 2 == 0 ? bytes(given.bytes)
                        : ByteBuffer.allocateDirect(given.bytes.length()).put(bytes(given.bytes)).flip();
                while (all.hasRemaining()) {
                    int next = Math.min(all.position() + 1 + random.nextInt(most), all.capacity());
                    framer.append(all.limit(next));
                    assertEquals(next, all.position(), "all is consumed");
                    assertEquals(next, all.limit(), "and the limit is what it was");
                    all.limit(all.capacity());
                }
                assertEquals(given.frames, frames);
                assertEquals(given.pending, framer.pendingBytes());
            }
        }
    }

    @Test
    void passesTheAppendedBufferAndRestoresIt() throws Exception {
        ByteBuffer appended = bytes("..ab\ncd\n..").position(2).limit(8);
        Framer framer = Framer.lines(MAX, frame -> {
            assertSame(appended, frame);
            add(frame);
            frame.clear();
        });
        framer.append(appended);
        assertEquals(List.of("ab", "cd"), frames);
        assertEquals(8, appended.position());
        assertEquals(8, appended.limit());
    }

    @ParameterizedTest
    @ValueSource(strings = {"123456\n", "123456", "12345\rx", "1\n123456\r\n"})
    void rejectsALineThatIsTooLong(String text) {
        for (int chunk = 1; chunk <= text.length(); chunk++) {
            Framer framer = Framer.lines(MAX, this::add);
            ByteBuffer all = bytes(text);
            int size = chunk;
            ProtocolException refused = assertThrows(ProtocolException.class, () -> {
                while (all.hasRemaining()) {
                    framer.append(all.limit(Math.min(all.position() + size, all.capacity())));
                    all.limit(all.capacity());
                }
            });
            assertEquals("a frame of more than 5 bytes, at most 5 are allowed", refused.getMessage());
        }
    }

    @Test
    void rejectsAnExcessiveLengthBeforeItsBytes() throws Exception {
        Framer framer = Framer.lengthPrefixed(4, MAX, this::add);
        framer.append(bytes("\u00ff\u00ff\u00ff"));
        ProtocolException refused = assertThrows(ProtocolException.class, () -> framer.append(bytes("\u00ff")));
        assertEquals("a frame of 4294967295 bytes, at most 5 are allowed", refused.getMessage());
        framer.append(bytes("\0\0\0\1x"));
        assertEquals(List.of(), frames, "it has stopped");
        framer.reset();
        framer.append(bytes("\0\0\0\1x"));
        assertEquals(List.of("x"), frames);
    }

    @Test
    void handlerThatStopsReceivesNoFurtherFrame() throws Exception {
        Framer[] framer = new Framer[1];
        framer[0] = Framer.fixed(2, frame -> {
            add(frame);
            framer[0].stop();
        });
        framer[0].append(bytes("a"));
        ByteBuffer rest = bytes("bcdef");
        framer[0].append(rest);
        framer[0].append(bytes("gh"));
        assertEquals(List.of("ab"), frames);
        assertFalse(rest.hasRemaining());
        assertEquals(0, framer[0].pendingBytes());
    }

    @Test
    void handlerThatResetsReceivesTheNextFrame() throws Exception {
        Framer[] framer = new Framer[1];
        framer[0] = Framer.fixed(2, frame -> {
            add(frame);
            framer[0].reset();
        });
        framer[0].append(bytes("a"));
        framer[0].append(bytes("bcdef"));
        assertEquals(List.of("ab", "cd", "ef"), frames);
    }

    @Test
    void exceptionOfTheHandlerStopsTheFramer() throws Exception {
        IOException refusal = new IOException("refused");
        Framer framer = Framer.lines(MAX, frame -> {
            add(frame);
            throw refusal;
        });
        ByteBuffer appended = bytes("a\nb\n");
        assertSame(refusal, assertThrows(IOException.class, () -> framer.append(appended)));
        assertFalse(appended.hasRemaining());
        framer.append(bytes("c\n"));
        assertEquals(List.of("a"), frames);
    }

    @Test
    void theHandlerMustNotAppend() {
        Framer[] framer = new Framer[1];
        framer[0] = Framer.fixed(1, frame -> framer[0].append(bytes("b")));
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> framer[0].append(bytes("a")));
        assertEquals("append: the handler of this framer is running; append when it has returned",
                refused.getMessage());
    }

    @Test
    void refusesSizesOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> Framer.lines(0, this::add));
        assertThrows(IllegalArgumentException.class, () -> Framer.fixed(0, this::add));
        assertThrows(IllegalArgumentException.class, () -> Framer.lengthPrefixed(0, 1, this::add));
        assertThrows(IllegalArgumentException.class, () -> Framer.lengthPrefixed(5, 1, this::add));
        assertThrows(IllegalArgumentException.class, () -> Framer.lengthPrefixed(4, 0, this::add));
        assertThrows(NullPointerException.class, () -> Framer.lines(1, null));
    }
}

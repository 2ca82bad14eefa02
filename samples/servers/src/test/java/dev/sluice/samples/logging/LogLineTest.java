package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.samples.lines.Unprintable;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class LogLineTest {

    /** One char per octet; the record lies amid control characters. */
    private static String line(String record) {
        byte[] array = ("\n\0" + record + "\n").getBytes(ISO_8859_1);
        int length = LogLine.length(array, 2, record.length());
        ByteBuffer target = ByteBuffer.allocate(length);
        LogLine.put(array, 2, record.length(), target);
        assertEquals(0, target.remaining());
        return new String(target.array(), ISO_8859_1);
    }

    @Test
    void plainTextIsKept() {
        assertEquals("<13>Nov 21 09:23:31 vm app: hello\n", line("<13>Nov 21 09:23:31 vm app: hello"));
        assertEquals("\n", line(""));
        assertEquals("#012 ~\n", line("#012 ~"));
    }

    @Test
    void controlCharactersAreEscaped() {
        assertEquals("a#012<0>forged#015#000#011#033[31m#177\n", line("a\n<0>forged\r\0\t\u001b[31m\u007f"));
        assertEquals("#012#012\n", line("\n\n"));
    }

    @Test
    void everyOctet() {
        for (int octet = 0; octet < 256; octet++) {
            String escaped = "#" + (char) ('0' + octet / 64) + (char) ('0' + octet / 8 % 8) + (char) ('0' + octet % 8);
            // None above 127 is UTF-8 by itself.
            String expected = octet < 32 || octet >= 127 ? escaped : String.valueOf((char) octet);
            assertEquals(expected + "\n", line(String.valueOf((char) octet)));
            assertEquals("a" + expected + "b\n", line("a" + (char) octet + "b"));
        }
    }

    /** {@return the octets of UTF-8, a char each} */
    private static String utf8(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    @Test
    void validTextIsKept() {
        for (String text : List.of("\u00e4\u00a0\u00df", "\u20ac\u05d0\u0628", "\ufeffBOM", "\ud83d\ude00",
                "\u2010\u202f\u2070", "\ud7ff\ue000", "\udbff\udfff")) {
            assertEquals(utf8("a" + text + "b\n"), line(utf8("a" + text + "b")));
        }
    }

    @Test
    void controlCharactersOfC1AreEscaped() {
        assertEquals("#302#233" + "31m\n", line(utf8("\u009b31m")));
        for (char c = 0x80; c < 0xA0; c++) {
            assertEquals("x#302#2" + (c - 0x80) / 8 + c % 8 + "x\n", line(utf8("x" + c + "x")));
        }
    }

    @Test
    void marksThatTurnTextAroundAndSeparatorsAreEscaped() {
        for (String mark : ("\u061c \u200e \u200f \u2028 \u2029 \u202a \u202b \u202c \u202d \u202e "
                + "\u2066 \u2067 \u2068 \u2069").split(" ")) {
            StringBuilder expected = new StringBuilder("x");
            for (char octet : utf8(mark).toCharArray()) {
                expected.append('#').append(Integer.toOctalString(octet));
            }
            assertEquals(expected + "x\n", line(utf8("x" + mark + "x")));
            assertEquals(expected + "x", Unprintable.escape("x" + mark + "x"), "of text, too");
        }
    }

    @Test
    void octetsThatAreNoUtf8AreEscaped() {
        assertEquals("#303\n", line("\u00c3"), "cut");
        assertEquals("#342#202x\n", line("\u00e2\u0082x"), "cut");
        assertEquals("#300#257\n", line("\u00c0\u00af"), "too long");
        assertEquals("#340#200#212\n", line("\u00e0\u0080\u008a"), "too long, of LF");
        assertEquals("#355#240#200\n", line("\u00ed\u00a0\u0080"), "a surrogate");
        assertEquals("#364#220#200#200\n", line("\u00f4\u0090\u0080\u0080"), "too large");
        assertEquals("#370#210#200#200#200\n", line("\u00f8\u0088\u0080\u0080\u0080"), "five octets");
        assertEquals("#342" + utf8("\u00e4") + "\n", line("\u00e2" + utf8("\u00e4")), "what follows is");
    }

    @Test
    void tooSmallATargetIsNotWritten() {
        ByteBuffer target = ByteBuffer.allocate(5);
        byte[] record = "a\n".getBytes(ISO_8859_1);
        assertThrows(BufferOverflowException.class, () -> LogLine.put(record, 0, 2, target));
        assertEquals(0, target.position());
        assertArrayEquals(new byte[5], target.array());
    }

    @Test
    void batchGathersLinesAndGrows() {
        for (boolean direct : new boolean[] {true, false}) {
            LogBatch batch = new LogBatch(1, direct ? ByteBuffer::allocateDirect : ByteBuffer::allocate);
            for (int round = 0; round < 3; round++) {
                ByteArrayOutputStream expected = new ByteArrayOutputStream();
                for (int i = 0; i < 500; i++) {
                    byte[] record = ("<13>record " + i + "\n" + "x".repeat(i % 70)).getBytes(ISO_8859_1);
                    batch.append(record, 0, record.length);
                    expected.writeBytes(line(new String(record, ISO_8859_1)).getBytes(ISO_8859_1));
                    assertEquals(expected.size(), batch.size());
                }
                ByteBuffer contents = batch.contents();
                byte[] octets = new byte[contents.remaining()];
                contents.get(octets);
                assertArrayEquals(expected.toByteArray(), octets);
                assertEquals(octets.length, batch.contents().remaining());
                batch.clear();
                assertEquals(0, batch.size());
                assertEquals(0, batch.contents().remaining());
            }
        }
    }

    @Test
    void batchNeedsACapacity() {
        assertThrows(IllegalArgumentException.class, () -> new LogBatch(0, ByteBuffer::allocate));
    }
}

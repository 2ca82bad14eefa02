package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
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
            String expected = octet < 32 || octet == 127 ? escaped : String.valueOf((char) octet);
            assertEquals(expected + "\n", line(String.valueOf((char) octet)));
            assertEquals("a" + expected + "b\n", line("a" + (char) octet + "b"));
        }
    }

    @Test
    void tooLittleRoomLeavesTheTargetAlone() {
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

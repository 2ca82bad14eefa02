package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.server.LineDestination;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class LogOutletTest {

    /** Takes as many octets as there is room for, and fails at the first without. */
    private static final class Disk implements LineDestination {

        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        int space = Integer.MAX_VALUE;
        boolean broken;

        @Override
        public void write(ByteBuffer lines) throws IOException {
            while (lines.hasRemaining()) {
                if (space == 0) {
                    throw new IOException("disk full");
                }
                space--;
                content.write(lines.get());
            }
        }

        @Override
        public void close() throws IOException {
            if (broken) {
                throw new IOException("disk broken");
            }
        }
    }

    private final Disk disk = new Disk();
    private Disk next = disk;
    private final LogOutlet outlet;

    LogOutletTest() throws IOException {
        outlet = new LogOutlet("disk", () -> {
            if (next == null) {
                throw new IOException("no disk");
            }
            return next;
        });
    }

    private void write(String... records) {
        LogBatch batch = new LogBatch(1, ByteBuffer::allocate);
        for (String record : records) {
            batch.append(record.getBytes(US_ASCII), 0, record.length());
        }
        outlet.write(batch);
    }

    private void assertDisk(long written, String content) {
        assertEquals(content, disk.content.toString(US_ASCII));
        assertEquals(written, outlet.written());
    }

    @Test
    void countsWhatIsWritten() {
        write("a", "b");
        write("c");
        assertDisk(3, "a\nb\nc\n");
    }

    @Test
    void countsWholeLinesOnly() {
        disk.space = 6;
        write("abc", "def", "ghi");
        assertDisk(1, "abc\nde");
        write("jkl");
        assertDisk(1, "abc\nde");
    }

    @Test
    void theLineAfterACutOneIsALineOfItsOwn() {
        disk.space = 6;
        write("abc", "def", "ghi");
        disk.space = Integer.MAX_VALUE;
        write("jkl");
        write("mno");
        assertDisk(3, "abc\nde\njkl\nmno\n");
    }

    @Test
    void aCutLineIsRememberedUntilItCouldBeEnded() {
        disk.space = 2;
        write("abc");
        disk.space = 0;
        write("def");
        disk.space = 3;
        write("ghi");
        assertDisk(0, "ab\ngh");
        disk.space = Integer.MAX_VALUE;
        write("jkl");
        assertDisk(1, "ab\ngh\njkl\n");
    }

    @Test
    void nothingIsAddedAfterAWholeLine() {
        disk.space = 4;
        write("abc", "def");
        disk.space = Integer.MAX_VALUE;
        write("ghi");
        assertDisk(2, "abc\nghi\n");
    }

    @Test
    void aLineWithoutItsEndIsLost() {
        disk.space = 3;
        write("abc");
        disk.space = Integer.MAX_VALUE;
        write("def");
        assertDisk(1, "abc\ndef\n");
    }

    @Test
    void remembersHowItsDestinationClosed() throws IOException {
        outlet.close();
        assertFalse(outlet.hasFailedToClose());
        Disk broken = new Disk();
        broken.broken = true;
        LogOutlet other = new LogOutlet("broken disk", () -> broken);
        other.close();
        assertTrue(other.hasFailedToClose());
    }

    @Test
    void goesOnWithANewDestination() {
        write("a");
        next = new Disk();
        outlet.reopen();
        write("b");
        assertDisk(2, "a\n");
        assertEquals("b\n", next.content.toString(US_ASCII));
        outlet.close();
        assertFalse(outlet.hasFailedToClose());
    }

    @Test
    void goesOnWithTheOldDestinationIfThereIsNoNewOne() {
        write("a");
        next = null;
        outlet.reopen();
        write("b");
        assertDisk(2, "a\nb\n");
        outlet.close();
        assertFalse(outlet.hasFailedToClose());
    }

    @Test
    void remembersHowItsOldDestinationClosed() {
        disk.broken = true;
        next = new Disk();
        outlet.reopen();
        outlet.close();
        assertTrue(outlet.hasFailedToClose());
    }
}

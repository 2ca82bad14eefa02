package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferGroupSizeTest {

    private static final int MAX_BUFFERS = 1 << 15;

    @ParameterizedTest
    @CsvSource({"1, 1", "16384, 64", "65536, 32768", "1048576, 4096", "1073741824, 3", "2147483647, 2"})
    void allCanBeHadInBlocksThatMemoryHas(int bytes, int initial) {
        BufferGroup.Size size = new BufferGroup.Size(bytes, initial, MAX_BUFFERS);
        int present = 0;
        while (present < MAX_BUFFERS) {
            int more = size.growth(present, false);
            assertTrue(more > 0, "no more beyond " + present);
            // A single buffer has the configured size.
            assertTrue(more == 1 || (long) more * bytes <= Integer.MAX_VALUE - 64, more + " beyond " + present);
            present += more;
        }
        assertEquals(MAX_BUFFERS, present);
        assertEquals(0, size.growth(present, false));
    }

    @Test
    void theyAreDoubled() {
        BufferGroup.Size size = new BufferGroup.Size(16 * 1024, 48, 128);
        assertEquals(48, size.growth(0, false));
        assertEquals(48, size.growth(48, false));
        assertEquals(32, size.growth(96, false));
        assertEquals(0, size.growth(128, false));
    }

    @Test
    void groupThatIsCompleteGrowsOnlyBeyondItsLimit() {
        BufferGroup.Size size = new BufferGroup.Size(1024, 48, 128);
        assertEquals(32, size.growth(96, true));
        assertEquals(48, size.growth(128, true));
        assertEquals(16, size.growth((1 << 16) - 16, true));
        assertEquals(0, size.growth(1 << 16, true));
    }
}

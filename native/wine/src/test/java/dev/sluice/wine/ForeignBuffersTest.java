package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("windows")
class ForeignBuffersTest {

    private final ForeignBuffers buffers = new ForeignBuffers();

    @Test
    void knowsWhatLiesWithinABuffer() {
        buffers.add(1000, 100);
        assertTrue(buffers.contains(1000, 100));
        assertTrue(buffers.contains(1099, 1));
        assertFalse(buffers.contains(999, 2));
        assertFalse(buffers.contains(1099, 2));
        assertFalse(buffers.contains(1000, -1));
        assertFalse(buffers.contains(2000, 1));
    }

    @Test
    void slicesAndTheirWholeAreOne() {
        buffers.add(1010, 10);
        buffers.add(1040, 10);
        buffers.add(1000, 100);
        buffers.add(1050, 10);
        assertTrue(buffers.contains(1000, 100));
        assertFalse(buffers.contains(1000, 101));
    }

    @Test
    void whatTouchesUnites() {
        buffers.add(1000, 100);
        buffers.add(1200, 100);
        assertFalse(buffers.contains(1050, 200));
        buffers.add(1100, 100);
        assertTrue(buffers.contains(1000, 300));
    }
}

package dev.sluice.calls.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class TimevalTest {

    @Test
    void roundsUpToMicroseconds() {
        assertTimeval(0, 0, 0);
        assertTimeval(1, 0, 1);
        assertTimeval(1_000, 0, 1);
        assertTimeval(1_001, 0, 2);
        assertTimeval(999_999_999, 1, 0);
        assertTimeval(3_000_000_000L, 3, 0);
        assertTimeval(Long.MAX_VALUE, 9_223_372_036L, 854_776);
    }

    private static void assertTimeval(long nanos, long seconds, long micros) {
        ByteBuffer memory = ByteBuffer.allocateDirect(4 + Timeval.SIZE).order(ByteOrder.nativeOrder());
        Timeval.set(memory, 4, nanos);
        assertEquals(seconds, memory.getLong(4 + Timeval.SEC), nanos + " ns");
        assertEquals(micros, memory.getLong(4 + Timeval.USEC), nanos + " ns");
    }
}

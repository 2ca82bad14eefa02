package dev.sluice.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Also where {@code nanoTime} overflows, because its origin is arbitrary. */
@Tag(Depth.IN_QUICK)
@ParameterizedClass(name = "base {0}")
@ValueSource(longs = {0, 1_700_000_000_000_000_000L, Long.MAX_VALUE - 1_000_000, Long.MAX_VALUE, Long.MIN_VALUE, -1})
class TimerHeapTest extends TimerQueueContract {

    @Parameter
    long start;

    @Override
    TimerQueue newQueue() {
        return new TimerHeap();
    }

    @Override
    long newBase() {
        return start;
    }

    @Override
    long lateness() {
        return 0;
    }

    @Test
    void isExactToTheNanosecond() {
        Timer last = add(2);
        Timer first = add(0);
        Timer middle = add(1);
        assertEquals(1, queue.earliest(base - 1));
        assertSame(first, queue.poll(base));
        assertEquals(1, queue.earliest(base));
        assertSame(middle, queue.poll(base + 1));
        assertSame(last, queue.poll(base + 2));
    }
}

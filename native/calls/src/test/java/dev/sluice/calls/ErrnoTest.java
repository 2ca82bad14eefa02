package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class ErrnoTest {

    @Test
    void namesEveryNegatedNumber() {
        for (Errno error : Errno.values()) {
            if (error.number() > 0) {
                assertSame(error, Errno.of(-error.number()));
                assertTrue(error.is(-error.number()));
                assertFalse(error.is(error.number()), error + " is no result of success");
                assertFalse(error.is(-error.number() - 1L));
                assertEquals(error.name() + " (" + error.text() + ")", Errno.describe(-error.number()));
            }
        }
    }

    @Test
    void noTwoHaveTheSameNumber() {
        int[] numbers = Arrays.stream(Errno.values()).mapToInt(Errno::number).filter(number -> number > 0).toArray();
        assertEquals(numbers.length, Arrays.stream(numbers).distinct().count());
    }

    @Test
    void hasNoNameForOtherResults() {
        for (long result : new long[] {0, 1, 11, -133, -134, -4095, Long.MIN_VALUE, Long.MAX_VALUE, -(1L << 32) - 11}) {
            assertSame(Errno.UNKNOWN, Errno.of(result), () -> "of " + result);
        }
        assertEquals("error 133", Errno.describe(-133));
    }

    @Test
    void unknownIsNoResult() {
        for (long result : new long[] {-1, 0, 1, -133}) {
            assertFalse(Errno.UNKNOWN.is(result), () -> "is " + result);
        }
    }

    @Test
    void readsAsInMessages() {
        assertEquals("EACCES (permission denied)", Errno.describe(-Errno.EACCES.number()));
    }
}

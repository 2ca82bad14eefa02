package dev.sluice.calls.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class FdSetTest {

    private static final int AT = 8;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(AT + FdSet.SIZE + 8).order(ByteOrder.nativeOrder());

    @Test
    void holdsExactlyWhatWasSet() {
        for (int fd = 0; fd < FdSet.FD_SETSIZE; fd++) {
            FdSet.set(memory, AT, fd);
            for (int other : new int[] {0, fd / 2, fd ^ 1, fd ^ 64, FdSet.FD_SETSIZE - 1}) {
                assertEquals(other == fd, FdSet.isSet(memory, AT, other), fd + " is set, is " + other + "?");
            }
            FdSet.clear(memory, AT, fd);
            assertFalse(FdSet.isSet(memory, AT, fd));
        }
    }

    @Test
    void keepsTheOthersWhenOneIsCleared() {
        FdSet.set(memory, AT, 63);
        FdSet.set(memory, AT, 62);
        FdSet.clear(memory, AT, 62);
        assertTrue(FdSet.isSet(memory, AT, 63));
    }

    @Test
    void refusesADescriptorThatDoesNotFit() {
        for (int fd : new int[] {-1, FdSet.FD_SETSIZE, Integer.MAX_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> FdSet.set(memory, AT, fd));
            assertThrows(IndexOutOfBoundsException.class, () -> FdSet.clear(memory, AT, fd));
            assertThrows(IndexOutOfBoundsException.class, () -> FdSet.isSet(memory, AT, fd));
        }
    }
}

package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("windows")
class FreeSpaceTest {

    @Test
    void takesTheFirstPartThatIsLargeEnough() {
        FreeSpace space = new FreeSpace(128, 1024);
        assertEquals(128, space.take(1));
        assertEquals(192, space.take(65));
        assertEquals(320, space.take(64));
        space.giveBack(192, 65);
        assertEquals(384, space.take(129));
        assertEquals(192, space.take(128));
    }

    @Test
    void saysWhenNoPartIsLargeEnough() {
        FreeSpace space = new FreeSpace(0, 256);
        assertEquals(-1, space.take(257));
        assertEquals(0, space.take(256));
        assertEquals(-1, space.take(1));
    }

    @Test
    void neighboursUniteWhateverTheOrderInWhichTheyAreGivenBack() {
        int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (int[] order : orders) {
            FreeSpace space = new FreeSpace(64, 192);
            int[] taken = {space.take(60), space.take(64), space.take(1)};
            assertEquals(0, space.bytes());
            for (int i : order) {
                space.giveBack(taken[i], i == 0 ? 60 : i == 1 ? 64 : 1);
            }
            assertEquals(192, space.bytes());
            assertEquals(64, space.take(192));
        }
    }
}

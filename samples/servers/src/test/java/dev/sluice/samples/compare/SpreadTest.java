package dev.sluice.samples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void knowsItsLeastMedianAndMost() {
        assertEquals(new Spread(1, 2, 9, 3), Spread.of(List.of(9.0, 1.0, 2.0)));
        assertEquals(new Spread(1, 2.5, 9, 4), Spread.of(List.of(9.0, 1.0, 2.0, 3.0)));
        assertEquals(new Spread(7, 7, 7, 1), Spread.of(List.of(7.0)));
    }

    @Test
    void isToldInPercent() {
        assertEquals(10, Spread.of(List.of(90.0, 100.0, 110.0)).percent());
        assertTrue(Double.isNaN(Spread.of(List.of(90.0)).percent()));
    }

    @Test
    void decidesWhatLiesApart() {
        Spread low = Spread.of(List.of(1.0, 2.0, 3.0, 4.0));
        assertTrue(low.isBelow(Spread.of(List.of(5.0, 6.0, 7.0, 8.0))));
        assertFalse(Spread.of(List.of(5.0, 6.0, 7.0, 8.0)).isBelow(low));
        assertFalse(low.isLike(Spread.of(List.of(5.0, 6.0, 7.0, 8.0))));
        assertFalse(low.isBelow(Spread.of(List.of(4.0, 6.0, 7.0, 8.0))), "they touch");
        assertTrue(low.isLike(Spread.of(List.of(0.5, 20.0, 30.0, 40.0))), "they overlap");
    }

    @Test
    void decidesNothingOfFewRepetitions() {
        Spread few = Spread.of(List.of(1.0, 1.0, 1.0));
        assertFalse(few.isBelow(Spread.of(List.of(9.0, 9.0, 9.0, 9.0))));
        assertFalse(Spread.of(List.of(0.1, 0.1, 0.1, 0.1)).isBelow(few));
    }
}

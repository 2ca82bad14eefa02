package dev.sluice.samples.adaptation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a pool of four threads. */
class PoolAdaptationTest {

    /** How many threads are busy, sample by sample, and how many there are after each. */
    @ParameterizedTest
    @CsvSource({
        "4, 4",
        "4 4, 4 8",
        "9 9 9 9 9 9 9 9 90 90, 4 8 8 16 16 16 16 16 16 32",
        "90 90 90 90 90 90 90 90, 4 8 8 16 16 32 32 32",
        "3 3 3 3 3 3, 4 4 4 4 4 4",
        "4 3 4 3 4 3, 4 4 4 4 4 4",
        "4 4 1 1 1 1 1 1, 4 8 8 8 8 8 4 4",
        "4 4 1 1 1 1 2 1 1 1 1 1, 4 8 8 8 8 8 8 8 8 8 8 4",
        "4 4 1 1 8 1 1 1 1 1, 4 8 8 8 8 8 8 8 8 4",
        "4 4 8 1 8 1 8, 4 8 8 8 8 8 8",
        "0 0 0 0 0 0 0 0 0 0, 4 4 4 4 4 4 4 4 4 4"})
    void hasAsManyThreadsAsAreBusy(String busy, String threads) {
        PoolAdaptation[] state = {PoolAdaptation.begin(4)};
        String seen = Arrays.stream(busy.split(" ")).map(each -> {
            state[0] = state[0].next(Integer.parseInt(each));
            return Integer.toString(state[0].threads());
        }).collect(Collectors.joining(" "));
        assertEquals(threads, seen);
    }

    @Test
    void asksAgainForWhatIsRefused() {
        PoolAdaptation state = PoolAdaptation.begin(4).next(9).next(9).refused(4);
        assertEquals(4, state.threads());
        assertEquals(4, state.next(9).threads());
        assertEquals(8, state.next(9).next(9).threads());
    }

    @Test
    void staysWithinItsBoundsWhateverComes() {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            PoolAdaptation state = PoolAdaptation.begin(4);
            for (int i = 0; i < 500; i++) {
                int busy = random.nextInt(100);
                PoolAdaptation next = state.next(busy);
                assertEquals(next, state.next(busy), "the same comes of the same");
                state = next;
                assertTrue(state.threads() >= 4 && state.threads() <= 32, state::toString);
            }
        }
    }
}

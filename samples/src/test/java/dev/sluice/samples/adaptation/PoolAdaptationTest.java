package dev.sluice.samples.adaptation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a pool of four threads. */
class PoolAdaptationTest {

    private static final LoadSample NOTHING_DONE = sample(0);

    /** A second in which so much was done. */
    private static LoadSample sample(int replies) {
        return new LoadSample(replies, 0, 0, 0, 0, 0, new Travel(1_000_000_000, 0, Travel.NONE.octets()));
    }

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
    void hasAsManyThreadsAsClientsHold(String busy, String threads) {
        PoolAdaptation[] state = {PoolAdaptation.begin(4, true)};
        String seen = Arrays.stream(busy.split(" ")).map(each -> {
            state[0] = state[0].next(Integer.parseInt(each), NOTHING_DONE);
            return Integer.toString(state[0].threads());
        }).collect(Collectors.joining(" "));
        assertEquals(threads, seen);
    }

    /** Each thread does so much in a second: with more threads more is done. */
    @Test
    void keepsTheThreadsThatBringSomething() {
        assertEquals("4 4 4 4 4 8 8 8 8 8 8 8 8 8 8 8 16", threads(17, threads -> 100 * threads));
        assertEquals(32, lastThreads(100, threads -> 100 * threads));
    }

    /** What is done is limited by something else. */
    @Test
    void takesBackTheThreadsThatBringNothing() {
        assertEquals("4 4 4 4 4 8 8 8 8 8 4 4 4", threads(13, threads -> 1000));
        assertEquals(8, lastThreads(1000, threads -> 1000 * Math.min(threads, 8)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 10_000})
    void triesAgainMoreAndMoreSeldom(int looks) {
        long grown = Arrays.stream(threads(looks, threads -> 1000).split(" ")).filter("8"::equals).count();
        // After pauses of 10, 20, 40 looks, and so on up to 1280, five looks each time.
        assertTrue(grown >= 10 && grown <= 5 * (8 + looks / 1280), () -> grown + " of " + looks);
    }

    /** All threads wait for something that has nothing to do with clients. */
    @Test
    void keepsMoreThreadsWhereNothingIsDone() {
        assertEquals(32, lastThreads(100, threads -> 0));
    }

    private static int lastThreads(int looks, IntUnaryOperator done) {
        String all = threads(looks, done);
        return Integer.parseInt(all.substring(all.lastIndexOf(' ') + 1));
    }

    /** How many threads there are after each look, if all are busy always and do so much. */
    private static String threads(int looks, IntUnaryOperator done) {
        PoolAdaptation[] state = {PoolAdaptation.begin(4, false)};
        return IntStream.range(0, looks).mapToObj(look -> {
            state[0] = state[0].next(state[0].threads(), sample(done.applyAsInt(state[0].threads())));
            return Integer.toString(state[0].threads());
        }).collect(Collectors.joining(" "));
    }

    @Test
    void asksAgainForWhatIsRefused() {
        PoolAdaptation state = PoolAdaptation.begin(4, true).next(9, NOTHING_DONE).next(9, NOTHING_DONE).refused(4);
        assertEquals(4, state.threads());
        assertEquals(4, state.next(9, NOTHING_DONE).threads());
        assertEquals(8, state.next(9, NOTHING_DONE).next(9, NOTHING_DONE).threads());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void staysWithinItsBoundsWhateverComes(boolean held) {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            PoolAdaptation state = PoolAdaptation.begin(4, held);
            for (int i = 0; i < 500; i++) {
                int busy = random.nextInt(100);
                LoadSample sample = sample(random.nextInt(1000));
                PoolAdaptation next = state.next(busy, sample);
                assertEquals(next, state.next(busy, sample), "the same comes of the same");
                state = next;
                assertTrue(state.threads() >= 4 && state.threads() <= 32, state::toString);
            }
        }
    }
}

package dev.sluice.samples.adaptation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the size of a pool of four threads is adapted. */
class PoolAdaptationTest {

    private static final LoadSample NOTHING_DONE = sample(0);

    /** A second in which so much was done. */
    private static LoadSample sample(int replies) {
        return new LoadSample(replies, 0, 0, 0, 0, 0, 0, new Travel(1_000_000_000, 0, Travel.NONE.octets()));
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
            state[0] = state[0].next(Integer.parseInt(each), NOTHING_DONE, true);
            return Integer.toString(state[0].threads());
        }).collect(Collectors.joining(" "));
        assertEquals(threads, seen);
    }

    /** Each thread does so much in a second: with more threads more is done. */
    @Test
    void keepsTheThreadsThatBringSomething() {
        assertEquals("5x4 4x8 4x4 4x8 4x4 4x8 4x4 10x8 1x16", runs(40, threads -> 100 * threads));
        assertEquals(32, last(threads(200, threads -> 100 * threads)));
    }

    /** What is done is limited by something else. */
    @Test
    void takesBackTheThreadsThatBringNothing() {
        assertEquals("5x4 4x8 4x4 4x8 4x4 4x8 4x4 4x8 7x4", runs(40, threads -> 1000));
        assertEquals(8, last(threads(3000, threads -> 1000 * Math.min(threads, 8))));
    }

    @Test
    void distinguishesJudgedFromAbandonedGrowth() {
        for (int step : new int[] {0, 1000}) {
            PoolAdaptation last = after(33, PoolAdaptation.begin(4, false), threads -> 1000 + step * threads);
            assertTrue(last.isOnTrial());
            PoolAdaptation judged = after(1, last, threads -> 1000 + step * threads);
            assertFalse(judged.isOnTrial());
            assertFalse(judged.hasBrokenOff(last));
        }
    }

    /** What is done differs from look to look, and threads have nothing to do with it. */
    @Test
    void hardlyEverTakesChanceForAGain() {
        int grown = 0;
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            grown += last(threads(1000, threads -> (int) (1000 * random.nextDouble(0.7, 1.3)))) > 4 ? 1 : 0;
        }
        assertTrue(grown <= 40, grown + " of 200 pools have grown without a gain");
    }

    /** Under a load that changes from turn to turn, what is compared changes as well. */
    @Test
    void isNotMisledByALoadThatRises() {
        int[] look = {0};
        // Two looks ask for it, and the trial has 32.
        assertEquals(4, after(34, PoolAdaptation.begin(4, false), threads -> 1000 + 20 * look[0]++).threads());
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 10_000})
    void triesAgainMoreAndMoreSeldom(int looks) {
        long grown = threads(looks, threads -> 1000).stream().filter(each -> each == 8).count();
        // After pauses of 10, 20, 40 looks, and so on up to 1280, four turns of four looks each time.
        int maximum = 16 * (8 + looks / 1280);
        assertTrue(grown >= 64 && grown <= maximum, () -> grown + " of " + looks);
    }

    /** All threads wait for something that has nothing to do with clients. */
    @Test
    void keepsMoreThreadsWhereNothingIsDone() {
        assertEquals(32, last(threads(200, threads -> 0)));
    }

    /** A burst is over before it is known what more threads bring; what lasts is not to suffer for it. */
    @Test
    void burstsThatEndEarlyCostNoLongerPause() {
        PoolAdaptation state = PoolAdaptation.begin(4, false);
        for (int burst = 0; burst < 100; burst++) {
            for (int look = 0; look < 5; look++) {
                state = state.next(4, sample(1000), true);
            }
            for (int look = 0; look < 20; look++) {
                state = state.next(0, NOTHING_DONE, true);
            }
            assertEquals(4, state.threads());
        }
        assertEquals(8, after(34 + 10, state, threads -> 100 * threads).threads());
    }

    @Test
    void goesBackWhereTheLoadEndsWhileItIsTried() {
        PoolAdaptation state = after(7, PoolAdaptation.begin(4, false), threads -> 100 * threads);
        assertEquals(8, state.threads());
        state = state.next(0, NOTHING_DONE, true).next(0, NOTHING_DONE, true);
        assertTrue(state.isOnTrial());
        PoolAdaptation before = state;
        state = state.next(0, NOTHING_DONE, true);
        assertFalse(state.isOnTrial());
        assertTrue(state.hasBrokenOff(before));
        assertFalse(state.next(0, NOTHING_DONE, true).hasBrokenOff(state));
        assertEquals(4, state.threads());
    }

    /** What has been found out with little to do says nothing of a server that has three times as much. */
    @Test
    void triesAtOnceUnderAnotherLoad() {
        PoolAdaptation state = after(3000, PoolAdaptation.begin(4, false), threads -> 1000);
        assertEquals(4, state.threads());
        assertEquals(8, after(5 + 34, state, threads -> 750 * threads).threads());
    }

    private static int last(List<Integer> all) {
        return all.get(all.size() - 1);
    }

    /** {@return for example 6x4 5x8: six looks after which there are four threads, and then five with eight} */
    private static String runs(int looks, IntUnaryOperator done) {
        List<String> runs = new ArrayList<>();
        int length = 0;
        int before = 0;
        for (int each : threads(looks, done)) {
            if (each != before && length > 0) {
                runs.add(length + "x" + before);
                length = 0;
            }
            before = each;
            length++;
        }
        runs.add(length + "x" + before);
        return String.join(" ", runs);
    }

    /** How many threads there are after each look, if all are busy always and do so much. */
    private static List<Integer> threads(int looks, IntUnaryOperator done) {
        List<Integer> all = new ArrayList<>();
        PoolAdaptation state = PoolAdaptation.begin(4, false);
        for (int look = 0; look < looks; look++) {
            state = after(1, state, done);
            all.add(state.threads());
        }
        return all;
    }

    private static PoolAdaptation after(int looks, PoolAdaptation first, IntUnaryOperator done) {
        PoolAdaptation state = first;
        for (int look = 0; look < looks; look++) {
            state = state.next(state.threads(), sample(done.applyAsInt(state.threads())), true);
        }
        return state;
    }

    /**
     * How many threads are busy, sample by sample, whether another experiment goes on meanwhile, and whether one has
     * begun here after each.
     */
    @ParameterizedTest
    @CsvSource({
        "4 4 4, - - -, n y y",
        "4 4 4 4 4, - + + + -, n n n n y",
        "4 4 4 4, + + - -, n n y y",
        "4 4 3 4 4, + + + - -, n n n n y",
        "3 3 3 3, + + - -, n n n n"})
    void waitsForTheEndOfAnotherExperiment(String busy, String others, String trials) {
        PoolAdaptation state = PoolAdaptation.begin(4, false);
        StringBuilder seen = new StringBuilder();
        String[] other = others.split(" ");
        for (String each : busy.split(" ")) {
            state = state.next(Integer.parseInt(each), NOTHING_DONE, other[seen.length() / 2].equals("-"));
            seen.append(state.isOnTrial() ? "y " : "n ");
        }
        assertEquals(trials, seen.toString().strip());
    }

    @Test
    void waitsForNothingWhereClientsHoldTheThreads() {
        assertEquals(8, PoolAdaptation.begin(4, true).next(4, NOTHING_DONE, false).next(4, NOTHING_DONE, false)
                .threads());
    }

    @Test
    void asksAgainForWhatIsRefused() {
        PoolAdaptation state = PoolAdaptation.begin(4, true).next(9, NOTHING_DONE, true).next(9, NOTHING_DONE, true)
                .refused(4);
        assertEquals(4, state.threads());
        assertEquals(4, state.next(9, NOTHING_DONE, true).threads());
        assertEquals(8, state.next(9, NOTHING_DONE, true).next(9, NOTHING_DONE, true).threads());
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
                PoolAdaptation next = state.next(busy, sample, true);
                assertEquals(next, state.next(busy, sample, true), "the same comes of the same");
                state = next;
                assertTrue(state.threads() >= 4 && state.threads() <= 32, state::toString);
            }
        }
    }
}

package dev.sluice.samples.adaptation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.FileWays;
import dev.sluice.testing.Depth;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is chosen after rows of samples. */
@Tag(Depth.IN_QUICK)
class AdaptationTest {

    private static final FileWays TRANSMITTED = FileWays.of(FileIo.TRANSMIT);
    private static final long SECOND = 1_000_000_000;
    private static final Setting CONFIGURED = new Setting(100, TRANSMITTED);
    private static final LoadSample QUIET = new LoadSample(0, 0, 0, 0, 0, 50, 0, Travel.NONE);

    private static long octets(Random random) {
        return random.nextInt(Integer.MAX_VALUE);
    }

    private static List<Integer> numbers(String row) {
        return Arrays.stream(row.split(" ")).map(Integer::valueOf).toList();
    }

    /** Hits of a hundred lookups, while files make room for others, and how many are kept open after each sample. */
    @ParameterizedTest
    @CsvSource({
        "50 50 50 50, 100 200 200 400",
        "89 89, 100 200",
        "90 90 90 90, 100 100 100 100",
        "50 95 50 95, 100 100 100 100",
        "50 50 50 50 50 50 50 50, 100 200 200 400 400 800 800 800"})
    void adaptsTheCache(String hits, String open) {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
        StringBuilder seen = new StringBuilder();
        for (int each : numbers(hits)) {
            state = state.next(new LoadSample(0, 0, each, 100 - each, 7, state.setting().openFiles(), 0, Travel.NONE),
                    true);
            seen.append(seen.isEmpty() ? "" : " ").append(state.setting().openFiles());
        }
        assertEquals(open, seen.toString());
    }

    @Test
    void keepsFewerFilesOpenWhenMostPlacesAreEmpty() {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
        for (int i = 0; i < 4; i++) {
            state = state.next(new LoadSample(0, 0, 0, 100, 7, 100, 0, Travel.NONE), true);
        }
        assertEquals(400, state.setting().openFiles());
        for (int i = 0; i < 5; i++) {
            assertEquals(400, state.setting().openFiles());
            state = state.next(new LoadSample(0, 0, 100, 0, 0, 99, 0, Travel.NONE), true);
        }
        assertEquals(200, state.setting().openFiles());
        for (int i = 0; i < 20; i++) {
            state = state.next(new LoadSample(0, 0, 100, 0, 0, 50, 0, Travel.NONE), true);
        }
        assertEquals(200, state.setting().openFiles(), "a quarter of it is in use");
        for (int i = 0; i < 20; i++) {
            state = state.next(new LoadSample(0, 0, 100, 0, 0, 5, 0, Travel.NONE), true);
        }
        assertEquals(100, state.setting().openFiles(), "what is configured");
    }

    @ParameterizedTest
    @EnumSource
    void leavesWhatIsPinned(Adaptable part) {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of(part));
        for (int i = 0; i < 40; i++) {
            long octets = state.inForce().huge() == FileIo.TRANSMIT ? SECOND : 2 * SECOND;
            state = state.next(new LoadSample(1000, 0, 850, 150, 50, 100, 0,
                    new Travel(SECOND, SECOND, List.of(0L, 0L, 0L, octets))), true);
        }
        assertEquals(part == Adaptable.CACHE, state.setting().openFiles() == CONFIGURED.openFiles());
        assertEquals(part == Adaptable.FILES, state.setting().ways().equals(CONFIGURED.ways()));
        assertEquals(part == Adaptable.FILES ? 0 : 1, state.trials());
    }

    /** Whether another experiment goes on, sample by sample, and whether ways are tried after each. */
    @ParameterizedTest
    @CsvSource({
        "- - -, n y y",
        "+ + + + - +, n n n n y y",
        "- + + - -, n n n y y"})
    void triesWaysWhenNoOtherExperimentGoesOn(String others, String trials) {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
        StringBuilder seen = new StringBuilder();
        for (String each : others.split(" ")) {
            state = state.next(new LoadSample(1000, 0, 950, 50, 0, 100, 0,
                    new Travel(SECOND, SECOND, List.of(0L, 0L, 0L, SECOND))), each.equals("-"));
            seen.append(state.isOnTrial() ? "y " : "n ");
        }
        assertEquals(trials, seen.toString().strip());
    }

    @Test
    void staysWithinItsBoundsWhateverComes() {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
            for (int i = 0; i < 500; i++) {
                LoadSample sample = new LoadSample(random.nextInt(100),
                        random.nextInt(1 << 24), random.nextInt(100), random.nextInt(100),
                        random.nextInt(3), random.nextInt(1000), random.nextInt(100),
                        new Travel(SECOND, random.nextInt((int) SECOND),
                        List.of(octets(random), octets(random), octets(random), octets(random))));
                Adaptation next = state.next(sample, true);
                assertEquals(next, state.next(sample, true), "the same comes of the same");
                state = next;
                Setting setting = state.setting();
                assertTrue(setting.openFiles() >= 100 && setting.openFiles() <= 800, () -> "seed: " + setting);
            }
        }
    }

    @Test
    void aSampleIsWhatHasHappenedSinceTheOneBefore() {
        LoadSample before = new LoadSample(10, 1000, 5, 6, 7, 8, 3, new Travel(1, 2, List.of(3L, 4L, 5L, 6L)));
        LoadSample now = new LoadSample(30, 5000, 25, 16, 9, 80, 5,
                new Travel(11, 22, List.of(33L, 44L, 55L, 66L)));
        assertEquals(new LoadSample(20, 4000, 20, 10, 2, 80, 5, new Travel(10, 20, List.of(30L, 40L, 50L, 60L))),
                now.since(before));
        assertEquals(200, now.since(before).meanReply());
        assertEquals(666, now.since(before).hitRate());
    }
}

package dev.sluice.samples.adaptation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.FileWays;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of rows of samples. */
class AdaptationTest {

    private static final FileWays TRANSMITTED = FileWays.of(FileIo.TRANSMIT);
    private static final Setting CONFIGURED = new Setting(100, TRANSMITTED);
    private static final LoadSample QUIET = new LoadSample(0, 0, 0, 0, 0, 50);

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
            state = state.next(new LoadSample(0, 0, each, 100 - each, 7, state.setting().openFiles()));
            seen.append(seen.isEmpty() ? "" : " ").append(state.setting().openFiles());
        }
        assertEquals(open, seen.toString());
    }

    @Test
    void keepsFewerFilesOpenWhenMostPlacesAreEmpty() {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
        for (int i = 0; i < 4; i++) {
            state = state.next(new LoadSample(0, 0, 0, 100, 7, 100));
        }
        assertEquals(400, state.setting().openFiles());
        for (int i = 0; i < 5; i++) {
            assertEquals(400, state.setting().openFiles());
            state = state.next(new LoadSample(0, 0, 100, 0, 0, 99));
        }
        assertEquals(200, state.setting().openFiles());
        for (int i = 0; i < 20; i++) {
            state = state.next(new LoadSample(0, 0, 100, 0, 0, 50));
        }
        assertEquals(200, state.setting().openFiles(), "a quarter of it is in use");
        for (int i = 0; i < 20; i++) {
            state = state.next(new LoadSample(0, 0, 100, 0, 0, 5));
        }
        assertEquals(100, state.setting().openFiles(), "what is configured");
    }

    /** Hits of a thousand and octets of the average reply, in each of many samples, and what comes of it. */
    @ParameterizedTest
    @CsvSource({
        "950, 10000, MMAP, MMAP",
        "950, 500000, MMAP, MMAP",
        "950, 600000, MMAP, TRANSMIT",
        "950, 5000000, MMAP, TRANSMIT",
        "800, 10000, READ, TRANSMIT",
        "100, 10000, READ, TRANSMIT"})
    void adaptsHowFilesTravel(int hits, long mean, FileIo small, FileIo large) {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
        for (int i = 0; i < 4; i++) {
            state = state.next(files(hits, mean));
            assertEquals(TRANSMITTED, state.setting().ways());
        }
        state = state.next(files(hits, mean));
        assertEquals(new FileWays(small, large), state.setting().ways());
    }

    private static LoadSample files(int hits, long mean) {
        return new LoadSample(1000, 1000 * mean, hits, 1000 - hits, 0, 50);
    }

    @Test
    void goesBackOnlyWhenItIsClearlyDifferent() {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
        for (int i = 0; i < 5; i++) {
            state = state.next(files(950, 10_000));
        }
        FileWays mapped = new FileWays(FileIo.MMAP, FileIo.MMAP);
        for (int i = 0; i < 20; i++) {
            state = state.next(files(800, 600_000));
            assertEquals(mapped, state.setting().ways());
        }
        for (int i = 0; i < 4; i++) {
            state = state.next(files(600, 100_000));
        }
        state = state.next(files(800, 100_000));
        assertEquals(mapped, state.setting().ways(), "not so often in a row");
        for (int i = 0; i < 5; i++) {
            assertEquals(mapped, state.setting().ways());
            state = state.next(files(600, 100_000));
        }
        assertEquals(TRANSMITTED, state.setting().ways());
    }

    @Test
    void goesOnWhereItWasAfterAPause() {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
        for (int i = 0; i < 4; i++) {
            state = state.next(files(950, 10_000));
            state = state.next(QUIET);
            assertEquals(TRANSMITTED, state.setting().ways());
        }
        assertEquals(FileWays.of(FileIo.MMAP), state.next(files(950, 10_000)).setting().ways());
    }

    @Test
    void tellsNothingFromAFewRequests() {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
        for (int i = 0; i < 20; i++) {
            state = state.next(new LoadSample(19, 19, 19, 0, 0, 50));
            state = state.next(new LoadSample(19, 19, 0, 19, 5, 50));
            state = state.next(QUIET);
        }
        assertEquals(CONFIGURED, state.setting());
    }

    @ParameterizedTest
    @EnumSource
    void leavesWhatIsPinned(Adaptable part) {
        Adaptation free = Adaptation.begin(CONFIGURED, Set.of());
        Adaptation pinned = Adaptation.begin(CONFIGURED, Set.of(part));
        for (int i = 0; i < 5; i++) {
            LoadSample sample = new LoadSample(1000, 500_000_000, 0, 1000, 50, 100);
            free = free.next(i == 0 ? sample : files(950, 10_000));
            pinned = pinned.next(i == 0 ? sample : files(950, 10_000));
        }
        for (int i = 0; i < 5; i++) {
            LoadSample sample = new LoadSample(1000, 1000, 0, 1000, 50, 100);
            free = free.next(sample);
            pinned = pinned.next(sample);
        }
        assertEquals(part == Adaptable.CACHE ? CONFIGURED.openFiles() : free.setting().openFiles(),
                pinned.setting().openFiles());
        assertTrue(free.setting().openFiles() > CONFIGURED.openFiles());
    }

    @Test
    void leavesTheWaysThatArePinned() {
        Adaptation state = Adaptation.begin(CONFIGURED, Set.of(Adaptable.FILES));
        for (int i = 0; i < 20; i++) {
            state = state.next(files(950, 10_000));
        }
        assertEquals(CONFIGURED, state.setting());
    }

    @Test
    void staysWithinItsBoundsWhateverComes() {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Adaptation state = Adaptation.begin(CONFIGURED, Set.of());
            for (int i = 0; i < 500; i++) {
                LoadSample sample = new LoadSample(random.nextInt(100),
                        random.nextInt(1 << 24), random.nextInt(100), random.nextInt(100),
                        random.nextInt(3), random.nextInt(1000));
                Adaptation next = state.next(sample);
                assertEquals(next, state.next(sample), "the same comes of the same");
                state = next;
                Setting setting = state.setting();
                assertTrue(setting.openFiles() >= 100 && setting.openFiles() <= 800, () -> "seed: " + setting);
            }
        }
    }

    @Test
    void aSampleIsWhatHasHappenedSinceTheOneBefore() {
        LoadSample before = new LoadSample(10, 1000, 5, 6, 7, 8);
        LoadSample now = new LoadSample(30, 5000, 25, 16, 9, 80);
        assertEquals(new LoadSample(20, 4000, 20, 10, 2, 80), now.since(before));
        assertEquals(200, now.since(before).meanReply());
        assertEquals(666, now.since(before).hitRate());
    }
}

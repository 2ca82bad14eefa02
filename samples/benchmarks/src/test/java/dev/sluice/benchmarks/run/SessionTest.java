package dev.sluice.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.MadeUpSuite;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which order suites are measured, and how failures are reported. */
class SessionTest {

    private static final List<String> NO_ABSENCES = List.of();

    @TempDir
    private Path directory;

    private final StringWriter err = new StringWriter();

    private boolean run(Host host, Suite... suites) throws Exception {
        return new Session(directory, "a test", Scale.SMALLEST, host, new PrintWriter(err, true)).run(List.of(suites));
    }

    private static Suite suite(String name, BiFunction<Scale, Host, Preparation> preparing) {
        return new MadeUpSuite(name, List.of(), preparing);
    }

    private static Trial works(String scenario, String contestant) {
        return MadeUpSuite.trial(scenario, contestant, recorder -> recorder.record("time", 1));
    }

    private RunDescription description(String suite) throws IOException {
        return RunDescription.read(directory.resolve(suite)).orElseThrow();
    }

    private List<String> measured(String suite) throws IOException {
        return Results.read(directory.resolve(suite)).stream()
                .map(sample -> sample.round() + " " + sample.scenario() + " " + sample.contestant()).toList();
    }

    @Test
    void beginsEachRoundOfAScenarioWithTheNextContestant() throws Exception {
        List<Trial> trials = List.of(works("one", "a"), works("one", "b"), works("one", "c"), works("two", "a"),
                works("two", "b"));

        assertTrue(run(new Host(directory), suite("s", (scale, host) -> new Preparation(trials, 3, NO_ABSENCES))));

        assertEquals(List.of(
                "1 one a", "1 one b", "1 one c", "1 two a", "1 two b",
                "2 one b", "2 one c", "2 one a", "2 two b", "2 two a",
                "3 one c", "3 one a", "3 one b", "3 two a", "3 two b"), measured("s"));
    }

    @Test
    void keepsNothingOfATrialThatFailsLater() throws Exception {
        List<String> rounds = new ArrayList<>();
        Trial failing = MadeUpSuite.trial("one", "fails", recorder -> {
            rounds.add("another");
            recorder.recordAt("elsewhere", "time", 1);
            if (rounds.size() == 2) {
                throw new IOException("too few bytes");
            }
        });
        List<Trial> trials = List.of(works("one", "a"), failing, works("one", "b"));

        assertFalse(run(new Host(directory), suite("s", (scale, host) -> new Preparation(trials, 3, NO_ABSENCES))));

        assertEquals(List.of("1 one a", "1 one b", "2 one b", "2 one a", "3 one a", "3 one b"), measured("s"));
        assertEquals(List.of("fails, one: java.io.IOException: too few bytes"), description("s").failures());
    }

    @Test
    void goesOnAfterASuiteThatCannotBePrepared() throws Exception {
        Suite failing = suite("fails", (scale, host) -> {
            throw new IllegalStateException("no such thing");
        });

        assertFalse(run(new Host(directory), failing,
                suite("works", (scale, host) -> new Preparation(List.of(works("one", "a")), 1, NO_ABSENCES))));

        assertEquals(List.of("java.lang.IllegalStateException: no such thing"), description("fails").failures());
        assertEquals(List.of("1 one a"), measured("works"));
    }

    @Test
    void goesOnAfterASuiteThatCannotBeClosed() throws Exception {
        Suite failing = suite("fails", (scale, host) -> new Preparation(List.of(works("one", "a")), 1, NO_ABSENCES,
                () -> {
                    throw new IOException("still in use");
                }));

        assertFalse(run(new Host(directory), failing,
                suite("works", (scale, host) -> new Preparation(List.of(works("one", "a")), 1, NO_ABSENCES))));

        assertEquals(List.of("closing it: java.io.IOException: still in use"), description("fails").failures());
        assertEquals(List.of("1 one a"), measured("fails"));
        assertEquals(List.of("1 one a"), measured("works"));
    }

    private Suite pinning(String name) {
        return suite(name, (scale, host) -> new Preparation(List.of(MadeUpSuite.trial("one", "a", recorder -> {
            host.pinned(0, List.of("true"));
            host.pinned(1, List.of("true"));
            recorder.record("time", 1);
        })), 2, NO_ABSENCES));
    }

    @Test
    void saysOfEachSuiteThatNothingWasPinned() throws Exception {
        assertTrue(run(new Host(directory, 1), pinning("pins"), pinning("pins-too"),
                suite("does-not", (scale, host) -> new Preparation(List.of(works("one", "a")), 1, NO_ABSENCES))));

        List<String> absences = List.of("no process is pinned to a processor, contrary to the descriptions below: "
                + "there is only one processor");
        assertEquals(absences, description("pins").absences());
        assertEquals(absences, description("pins-too").absences());
        assertEquals(NO_ABSENCES, description("does-not").absences());
    }

    @Test
    void saysNothingOfWhatIsNotToBePinned() throws Exception {
        assertTrue(run(new Host(directory, 1), suite("s", (scale, host) -> {
            host.unpinned(List.of()).pinned(0, List.of("true"));
            return new Preparation(List.of(works("one", "a")), 1, NO_ABSENCES);
        })));

        assertEquals(NO_ABSENCES, description("s").absences());
    }

    @Test
    void keepsTheVersionsOfOtherPrograms() throws Exception {
        assertTrue(run(new Host(directory), suite("s", (scale, host) -> new Preparation(List.of(works("one", "a")), 1,
                NO_ABSENCES, List.of("fio-3.33"), () -> { }))));

        assertEquals(List.of("fio-3.33"), description("s").peers());
    }
}

package dev.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is typed after {@code sluice bench}, and the result. */
class BenchCommandTest {

    private static final List<Section> SECTIONS = List.of(new Section("time", "ns", Better.LOWER, null, Chart.BARS));
    private static final List<Suite> SUITES = List.of(
            suite("works", recorder -> recorder.record("time", 1)),
            suite("fails", recorder -> {
                throw new IOException("too few bytes");
            }));

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static Suite suite(String name, MadeUpSuite.Measurement measurement) {
        return new MadeUpSuite(name, SECTIONS, (scale, host) -> new Preparation(
                List.of(MadeUpSuite.trial("one", "first", measurement)), 2, List.of("no peer is here")));
    }

    private int run(String... arguments) {
        return Main.commandLine(SUITES).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private void assertComplaint(int code, String complaint, String... arguments) {
        assertEquals(code, run(arguments), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().startsWith("sluice bench: ") && err.toString().contains(complaint), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void listsWhatThereIs() {
        assertEquals(0, run("--list"));
        assertEquals(List.of("works        what works is", "fails        what fails is"),
                out.toString().lines().toList());
        assertEquals("", err.toString());
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertComplaint(2, "there is no suite 'wrks'; the suites are works, fails", "wrks");
    }

    @Test
    void refusesAnIndexWithoutDocuments() {
        assertComplaint(2, "--index-size 0 is not positive", "--index-size", "0", "--output", directory.toString());
    }

    @Test
    void suggestsTheOptionThatIsMeant() {
        assertComplaint(2, "there is no option '--quik'; did you mean --quick?", "--quik");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--quick --smallest", "--list --report-only", "--report-only --charts-only",
        "--quick --list"})
    void doesOneThingAtATime(String options) {
        assertComplaint(2, "mutually exclusive", options.split(" "));
    }

    @Test
    void refusesAFileForADirectory() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertComplaint(2, "--output " + file + " is not a directory", "works", "--output", file.toString());
    }

    @Test
    void saysWhyItCannotWrite() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertComplaint(1, file.toString(), "works", "--output", file.resolve("below").toString());
    }

    /** A directory with its name is in the way of the file, even if root runs this test. */
    @Test
    void saysWhyItCannotKeepSamples() throws IOException {
        Path samples = Files.createDirectories(directory.resolve("works").resolve(Results.FILE));
        assertComplaint(1, samples.toString(), "works", "--output", directory.toString());
    }

    @Test
    void reportsOnlyWhatIsThere() {
        Path nowhere = directory.resolve("nowhere");
        assertComplaint(1, nowhere.toString(), "--report-only", "--output", nowhere.toString());
        assertFalse(Files.exists(nowhere));
    }

    @Test
    void measuresAndSaysWhereTheReportIs() throws IOException {
        assertEquals(0, run("works", "works", "--smallest", "--output", directory.toString()), err::toString);
        assertEquals(directory.resolve("RESULTS.md").toString(), out.toString().strip());
        assertEquals(List.of(new Sample("works", "one", "first", "time", 1, 1),
                new Sample("works", "one", "first", "time", 2, 1)), Results.read(directory.resolve("works")));
        assertTrue(err.toString().contains("works: suite 1 of 1, about 1 min 0 s left for all"), err::toString);
        assertTrue(err.toString().contains("works: no peer is here"), err::toString);
    }

    @Test
    void goesOnAfterAFailureAndTellsOfItAtTheEnd() throws IOException {
        assertEquals(1, run("fails", "works", "--quick", "--output", directory.toString()));
        assertTrue(err.toString().contains("fails: first, one: java.io.IOException: too few bytes"), err::toString);
        assertTrue(err.toString().contains("fails: suite 1 of 2, about 2 min 0 s left for all"), err::toString);
        assertTrue(err.toString().contains("works: suite 2 of 2, about 1 min 0 s left for all"), err::toString);
        assertEquals(2, Results.read(directory.resolve("works")).size());
        assertEquals(0, Results.read(directory.resolve("fails")).size());
    }

    @Test
    void keepsWhatOtherRunsHaveMeasured() throws IOException {
        run("fails", "--quick", "--output", directory.toString());
        assertEquals(0, run("works", "--smallest", "--output", directory.toString()));
        String report = Files.readString(directory.resolve("RESULTS.md"));
        assertTrue(report.contains("fails: first, one: java.io.IOException: too few bytes"), report);
        assertTrue(report.contains("| [works](results/works.md) | what works is |"), report);
    }

    @Test
    void drawsChartsOfMediansAgain() throws IOException {
        Path nowhere = directory.resolve("nowhere");
        assertComplaint(1, nowhere.toString(), "--charts-only", "--output", nowhere.toString());
        err.getBuffer().setLength(0);
        run("works", "--smallest", "--output", directory.toString());
        Path chart = directory.resolve("charts/works-dark.svg");
        String first = Files.readString(chart);
        Files.delete(chart);
        Files.delete(directory.resolve("works").resolve(Results.FILE));
        out.getBuffer().setLength(0);
        assertEquals(0, run("--charts-only", "--output", directory.toString()), err::toString);
        assertEquals("works", out.toString().strip());
        assertEquals(first, Files.readString(chart));
    }

    @Test
    void writesTheSameReportAgain() throws IOException {
        run("works", "--smallest", "--output", directory.toString());
        Path report = directory.resolve("RESULTS.md");
        String first = Files.readString(report);
        Files.delete(report);
        assertEquals(0, run("--report-only", "--output", directory.toString()), err::toString);
        assertEquals(first, Files.readString(report));
    }
}

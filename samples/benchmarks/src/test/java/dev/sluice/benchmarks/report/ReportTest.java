package dev.sluice.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.MadeUpSuite;
import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Section.Question;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the report makes of samples. */
class ReportTest {

    private static final Section TIME = new Section("time", "ns", Better.LOWER, null, Chart.NONE);

    @TempDir
    private Path directory;

    private final List<Sample> samples = new ArrayList<>();
    private final List<String> peers = new ArrayList<>();
    private final List<String> absences = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private void sample(String scenario, String contestant, String figure, double... values) {
        for (int i = 0; i < values.length; i++) {
            samples.add(new Sample("made-up", scenario, contestant, figure, i + 1, values[i]));
        }
    }

    private static Suite suite(String name, Section... sections) {
        return new MadeUpSuite(name, List.of(sections), (scale, host) -> {
            throw new AssertionError("a report measures nothing");
        });
    }

    private String report(boolean complete, Suite... suites) throws IOException {
        Path suite = Files.createDirectories(directory.resolve("made-up"));
        new RunDescription("./sluice bench made-up", Scale.FULL, "2026-11-22", "25", "a | machine", peers, complete,
                absences, failures).write(suite);
        try (Results results = Results.create(suite)) {
            for (Sample sample : samples) {
                results.add(sample);
            }
        }
        Path report = Report.write(directory, List.of(suites));
        Path page = directory.resolve("results/made-up.md");
        return Files.readString(report) + (Files.exists(page) ? Files.readString(page) : "");
    }

    private String table(Section section) throws IOException {
        return String.join("\n", report(true, suite("made-up", section)).lines()
                .dropWhile(line -> !line.equals("## " + section.figure()))
                .takeWhile(line -> !line.startsWith("## How it is measured"))
                .filter(line -> line.startsWith("|")).toList());
    }

    @Test
    void showsMediansAndRatiosWhereMoreIsBetter() throws IOException {
        sample("one", "Sluice", "rate", 300, 100, 200);
        sample("one", "other", "rate", 100, 50, 150);
        sample("two", "Sluice", "rate", 10, 30);
        sample("two", "other", "rate", 40, 80);
        assertEquals("""
                | 1/s | one | two |
                | :--- | ---: | ---: |
                | Sluice | **200** (2.00, 2.00) | 20.0 (0.33, 0.38) |
                | other | 100 | **60.0** |""", table(new Section("rate", "1/s", Better.HIGHER, "other", Chart.NONE)));
    }

    @Test
    void showsRatiosAboveOneForTheFasterWhereLessIsBetter() throws IOException {
        sample("one", "Sluice", "time", 50, 40, 60);
        sample("one", "other", "time", 100, 90, 200);
        assertEquals("""
                | ns | one |
                | :--- | ---: |
                | Sluice | **50.0** (2.00, 2.25) |
                | other | 100 |""", table(new Section("time", "ns", Better.LOWER, "other", Chart.NONE)));
    }

    @Test
    void showsOneRatioAfterOneRound() throws IOException {
        sample("one", "Sluice", "time", 50);
        sample("one", "other", "time", 100);
        assertTrue(table(new Section("time", "ns", Better.LOWER, "other", Chart.NONE))
                .contains("| Sluice | **50.0** (2.00) |"));
    }

    @Test
    void leavesOutWhatWasNotMeasured() throws IOException {
        sample("one", "Sluice", "time", 50);
        sample("two", "Sluice", "time", 50);
        sample("two", "other", "time", 100);
        sample("three", "other", "time", 0);
        sample("three", "Sluice", "time", 3);
        assertEquals("""
                | ns | one | two | three |
                | :--- | ---: | ---: | ---: |
                | Sluice | 50.0 | **50.0** (2.00) | 3.00 |
                | other | - | 100 | **0** |""", table(new Section("time", "ns", Better.LOWER, "other", Chart.NONE)));
    }

    @Test
    void marksNoBestValueIfAllAreEqual() throws IOException {
        sample("one", "Sluice", "allocated", 0.00001);
        sample("one", "other", "allocated", 0);
        sample("two", "Sluice", "allocated", 0.00001);
        sample("two", "third", "allocated", 0);
        sample("two", "other", "allocated", 24);
        assertEquals("""
                | B | one | two |
                | :--- | ---: | ---: |
                | Sluice | 0 | **0** |
                | other | 0 | 24.0 |
                | third | - | **0** |""", table(new Section("allocated", "B", Better.LOWER, null, Chart.NONE)));
    }

    @Test
    void showsNamesAsTheyAre() throws IOException {
        sample("a|b *c*", "io_uring <x> & `y`", "time", 1);
        assertEquals("""
                | ns | a\\|b \\*c\\* |
                | :--- | ---: |
                | io_uring &lt;x&gt; &amp; \\`y\\` | 1.00 |""",
                table(new Section("time", "ns", Better.LOWER, null, Chart.NONE)));
        assertTrue(report(true, suite("made-up", TIME)).contains("| machine | a \\| machine |"));
    }

    private void measureInTwoScenarios(String figure, double first, double second, double otherFirst,
            double otherSecond) {
        sample("one", "Sluice", figure, first);
        sample("one", "other", figure, otherFirst);
        sample("two", "Sluice", figure, second);
        sample("two", "other", figure, otherSecond);
    }

    private String targets(Section section) throws IOException {
        return String.join("\n", table(section).lines().skip(4).toList());
    }

    @Test
    void reportsWhetherAMinimumIsReached() throws IOException {
        measureInTwoScenarios("rate", 200, 100, 100, 100);
        assertEquals("""
                | Sluice: at least 2.00 times other | 2.00: reached | 1.00: missed by 50 % |
                | Sluice: at least 150 1/s | 200: reached | 100: missed by 33 % |
                | other: at least 100 1/s | 100: reached | 100: reached |""",
                targets(new Section("rate", "1/s", Better.HIGHER, "other", Chart.NONE).with(
                        Target.times("Sluice", 2, "other"), Target.of("Sluice", 150), Target.of("other", 100))));
    }

    @Test
    void reportsWhetherAMaximumIsKept() throws IOException {
        measureInTwoScenarios("time", 110, 110.2, 100, 100);
        assertEquals("""
                | Sluice: at most 1.10 times other | 1.10: reached | 1.10: missed by less than 1 % |
                | Sluice: at most 1.00 times that of one |  | 1.00: missed by less than 1 % |
                | other: at most 1.00 times that of one |  | 1.00: reached |
                | other: at most 0 ns | 100: missed by 100 ns | 100: missed by 100 ns |""",
                targets(new Section("time", "ns", Better.LOWER, null, Chart.NONE).with(
                        Target.times("Sluice", 1.1, "other"), Target.timesElsewhere("Sluice", "two", 1, "one"),
                        Target.timesElsewhere("other", "two", 1, "one"), Target.of("other", 0))));
    }

    @ParameterizedTest
    @CsvSource({"99, 1.00: reached", "101, 1.00: reached", "98, 2.00: missed by 1.00", "103, 3.00: missed by 2.00"})
    void reportsWhetherAValueIsNear(double value, String verdict) throws IOException {
        sample("one", "Sluice", "threads", value);
        sample("one", "law", "threads", 100);
        assertTrue(targets(new Section("threads", "threads", Better.LOWER, null, Chart.NONE)
                .with(Target.near("Sluice", 1, "law")))
                .contains("| Sluice: within 1.00 of law | " + verdict + " |"));
    }

    @Test
    void comparesWithTheBestOfSome() throws IOException {
        measureInTwoScenarios("rate", 95, 100, 100, 110);
        sample("one", "third", "rate", 99);
        List<String> others = List.of("other", "third", "absent");
        Target target = Target.timesBest("Sluice", 0.95, "all others", others);
        String higher = targets(new Section("rate", "1/s", Better.HIGHER, null, Chart.NONE).with(target));
        assertTrue(higher.endsWith("| Sluice: at least 0.95 times the best of all others"
                + " | 0.95: reached | 0.91: missed by 4 % |"), higher);
        String lower = targets(new Section("rate", "1/s", Better.LOWER, null, Chart.NONE).with(target));
        assertTrue(lower.endsWith(
                "| Sluice: at most 0.95 times the best of all others | 0.96: missed by 1 % | 0.91: reached |"), lower);
    }

    @Test
    void comparesWithTheOwnBestFromThereOn() throws IOException {
        double[] values = {50, 100, 96, 90};
        for (int i = 0; i < values.length; i++) {
            sample("scenario " + i, "Sluice", "rate", values[i]);
        }
        Target target = Target.ofOwnBest("Sluice", 0.95);
        assertEquals("""
                | Sluice: at least 0.95 times its best, from there on |  | 1.00: reached | 0.96: reached \
                | 0.90: missed by 5 % |
                | Sluice: at least 0.95 times its best | 0.50: missed by 47 % |  |  |  |""",
                String.join("\n", table(new Section("rate", "1/s", Better.HIGHER, null, Chart.NONE)
                        .with(target, target.in("scenario 0"))).lines().skip(3).toList()));
    }

    @Test
    void saysNothingOfTargetsOfWhatWasNotMeasured() throws IOException {
        measureInTwoScenarios("rate", 200, 100, 100, 100);
        samples.remove(3);
        assertEquals("| Sluice: at least 2.00 times other | 2.00: reached | - |",
                targets(new Section("rate", "1/s", Better.HIGHER, null, Chart.NONE).with(
                        Target.times("Sluice", 2, "other"), Target.of("absent", 1),
                        Target.of("Sluice", 1).in("never"))));
    }

    @Test
    void reportsHowFarValuesScatter() throws IOException {
        sample("one", "Sluice", "time", 95, 100, 105);
        sample("one", "other", "time", 100, 150);
        String report = report(true, suite("made-up", new Section("time", "ns", Better.LOWER, null, Chart.NONE)));
        assertTrue(report.contains("2 to 3 rounds; from the lowest to the highest value of a cell it is 10 % of its "
                + "median in half of the cells, and 40 % at most."), report);
    }

    @Test
    void listsWhatIsMissing() throws IOException {
        absences.add("no nginx here: apt-get install nginx-light");
        failures.add("Netty, 1 KiB:\njava.io.IOException: <eof>");
        String report = report(true, suite("made-up", TIME));
        assertTrue(report.contains("""
                ## What is missing

                Did not take part:

                - made-up: no nginx here: apt-get install nginx-light

                Failed:

                - made-up: Netty, 1 KiB: java.io.IOException: &lt;eof&gt;
                """), report);
    }

    @Test
    void namesTheVersionsOfOtherPrograms() throws IOException {
        sample("one", "Sluice", "time", 1);
        String without = report(true, suite("made-up", TIME));
        assertTrue(without.endsWith("| Java | 25 |\n"), without);
        peers.addAll(List.of("fio-3.33", "wrk 4.2"));
        String report = report(true, suite("made-up", TIME));
        assertTrue(report.endsWith("| Java | 25 |\n| peers | fio-3.33, wrk 4.2 |\n"), report);
    }

    /** The results of a run from before there were versions can still be reported. */
    @Test
    void descriptionWithoutVersionsHasNone() throws IOException {
        Files.writeString(directory.resolve(RunDescription.FILE), """
                {"command": "a", "scale": "FULL", "date": "2026-11-22", "java": "25", "machine": "b", "complete": true,
                "absences": [], "failures": []}""");
        assertEquals(List.of(), RunDescription.read(directory).orElseThrow().peers());
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void saysThatARunWasInterrupted(boolean complete, boolean said) throws IOException {
        String withoutSamples = report(complete, suite("made-up", TIME));
        assertEquals(said, withoutSamples.contains("Interrupted:\n\n- made-up: "), withoutSamples);
        sample("one", "Sluice", "time", 1);
        String report = report(complete, suite("made-up", TIME));
        assertEquals(said, report.contains("**The run was interrupted**"), report);
    }

    @Test
    void leavesOutSuitesAndSaysOfTablesThatNothingWasMeasured() throws IOException {
        sample("one", "Sluice", "time", 1);
        String report = report(true, suite("unmeasured", new Section("time", "ns", Better.LOWER, null, Chart.BARS)),
                suite("made-up", new Section("time", "ns", Better.LOWER, null, Chart.NONE),
                        new Section("never", "ns", Better.LOWER, null, Chart.BARS)));
        assertFalse(report.contains("unmeasured"), report);
        assertTrue(report.contains("<summary>never</summary>\n\nNothing of it was measured.\n"), report);
    }

    @Test
    void reportsARunWithoutSamples() throws IOException {
        String report = report(false, suite("made-up", new Section("time", "ns", Better.LOWER, null, Chart.BARS)));
        assertTrue(report.contains("Nothing was measured."), report);
    }

    private void measureFor(Section... sections) {
        for (Section section : sections) {
            for (String contestant : List.of("C epoll", "Sluice Reactor, epoll", "Netty epoll")) {
                for (String scenario : List.of("10", "1,000")) {
                    sample(scenario, contestant, section.figure(), contestant.length() + scenario.length());
                }
            }
        }
    }

    private Map<String, String> charts() throws IOException {
        Map<String, String> charts = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory.resolve("charts"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                charts.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return charts;
    }

    @ParameterizedTest
    @EnumSource(value = Chart.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void drawsTheSameChartOfTheSameSamples(Chart chart) throws IOException {
        Section section = new Section("time per <event>, 10 %", "ns", Better.LOWER, "C epoll", chart);
        measureFor(section);
        String report = report(true, suite("made-up", section));
        Map<String, String> charts = charts();
        assertEquals(List.of("made-up-dark.svg", "made-up-light.svg"), List.copyOf(charts.keySet()));
        assertTrue(report.contains("""
                <picture>
                  <source media="(prefers-color-scheme: dark)" srcset="../charts/made-up-dark.svg">
                  <img alt="chart: time per &lt;event>, 10 %" src="../charts/made-up-light.svg">
                </picture>
                """), report);
        assertEquals(report, report(true, suite("made-up", section)));
        assertEquals(charts, charts());
    }

    @Test
    void drawsOneChartOfASuite() throws IOException {
        Section first = new Section("first", "ns", Better.LOWER, null, Chart.LINES);
        Section second = new Section("second", "ns", Better.LOWER, null, Chart.BARS);
        measureFor(TIME, first, second);
        String report = report(true, suite("made-up", TIME, first, second));
        assertEquals(2, charts().size());
        assertTrue(report.indexOf("<picture>") < report.indexOf("\n## first\n"), report);
        assertTrue(report.indexOf("\n## first\n") < report.indexOf("<summary>time</summary>"), report);
        assertTrue(report.contains("<summary>second</summary>"), report);
    }

    @Test
    void drawsAChartOfEachFurtherQuestion() throws IOException {
        Section first = new Section("first", "ns", Better.LOWER, null, Chart.BARS);
        Section second = new Section("second", "ns", Better.LOWER, null, Chart.LINES)
                .answering(new Question("other", "how long the other takes"));
        measureFor(first, second);
        String report = report(true, suite("made-up", second, first));
        assertEquals(List.of("made-up-dark.svg", "made-up-light.svg", "made-up-other-dark.svg",
                "made-up-other-light.svg"), List.copyOf(charts().keySet()));
        assertTrue(charts().get("made-up-light.svg").contains("first"), report);
        assertTrue(report.contains("""
                ## second

                The question: how long the other takes.

                C epoll has the best median in 2 of 2 columns."""), report);
        assertTrue(report.indexOf("made-up-light.svg") < report.indexOf("\n## first\n"), report);
        assertTrue(report.indexOf("\n## first\n") < report.indexOf("\n## second\n"), report);
        assertTrue(report.indexOf("\n## second\n") < report.indexOf("made-up-other-light.svg"), report);
        assertFalse(report.contains("<summary>"), report);
    }

    @Test
    void saysWhatATableSays() throws IOException {
        sample("one", "Sluice", "rate", 200, 220);
        sample("one", "C epoll", "rate", 100, 110);
        sample("two", "Sluice", "rate", 300, 300);
        sample("two", "C epoll", "rate", 200, 200);
        Section section = new Section("rate", "1/s", Better.HIGHER, "C epoll", Chart.BARS);
        String report = report(true, suite("made-up", section));
        assertTrue(report.contains("""
                ## Finding

                Sluice has the best median in 2 of 2 columns.
                Sluice's best is 1.50 to 2.00 times as good as C epoll.
                Differences of less than 0 % mean little: the rounds of half of the cells differ by that much.
                """), report);
    }

    @Test
    void removesTheChartsOfAnEarlierReport() throws IOException {
        Section before = new Section("before", "ns", Better.LOWER, null, Chart.BARS);
        Section now = new Section("now", "ns", Better.LOWER, null, Chart.BARS);
        measureFor(before, now);
        report(true, suite("made-up", before));
        Files.writeString(directory.resolve("charts/mine.svg"), "");
        Files.writeString(directory.resolve("charts/former-dark.svg"), "");
        report(true, suite("made-up", now));
        assertEquals(List.of("made-up-dark.svg", "made-up-light.svg", "mine.svg"),
                List.copyOf(charts().keySet()));
    }

    @Test
    void drawsNoChartOfContestantsThatWereNotMeasured() throws IOException {
        Section section = new Section("time", "ns", Better.LOWER, null, Chart.BARS).drawing("absent");
        measureFor(section);
        String report = report(true, suite("made-up", section));
        assertFalse(report.contains("<picture>"), report);
    }

    @Test
    void drawsNoMoreThanAFewContestants() throws IOException {
        List<String> names = List.of("a", "b", "c", "d", "e", "f", "g");
        names.forEach(name -> sample("one", name, "time", 1));
        Section section = new Section("time", "ns", Better.LOWER, null, Chart.BARS);
        report(true, suite("made-up", section));
        String chart = charts().get("made-up-light.svg");
        assertTrue(chart.contains(">f<"), chart);
        assertFalse(chart.contains(">g<"), chart);
        assertThrows(IllegalArgumentException.class, () -> section.drawing(names.toArray(String[]::new)));
    }
}

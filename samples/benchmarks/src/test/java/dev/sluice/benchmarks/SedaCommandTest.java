package dev.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Sized;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is typed after {@code sluice seda}, and the result. */
class SedaCommandTest {

    private static final List<Section> SECTIONS = List.of(
            new Section("rate", "1/s", Better.HIGHER, "one, so to say", Chart.BARS),
            new Section("time", "ns", Better.LOWER, null, Chart.LINES)
                    .with(Target.times("another", 0.5, "one, so to say"), Target.of("one, so to say", 0)),
            new Section("course", "1/s", Better.HIGHER, null, Chart.COURSE),
            new Section("never measured", "ns", Better.LOWER, null, Chart.NONE));
    private static final List<Suite> SUITES = List.of(
            suite("other", measured("the first", 1)),
            new SizedSuite(1),
            suite("seda-works", measured("one, so to say", 1_500), measured("another", 3_000)),
            suite("seda-fails", MadeUpSuite.trial("1 stage", "the first", recorder -> {
                throw new IOException("too few bytes");
            })));

    /** One that measures its size. */
    private record SizedSuite(int size) implements Sized {

        @Override
        public int maxLoad() {
            return 10;
        }

        @Override
        public Suite of(int load) {
            return new SizedSuite(load);
        }

        @Override
        public String name() {
            return "seda-sized";
        }

        @Override
        public String summary() {
            return "what seda-sized is";
        }

        @Override
        public String method() {
            return "How it is measured.";
        }

        @Override
        public List<Section> sections() {
            return SECTIONS;
        }

        @Override
        public Preparation prepare(Scale scale, Host host) {
            return new Preparation(List.of(measured("the first", size)), 1, List.of());
        }
    }

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static Suite suite(String name, Trial... trials) {
        return new MadeUpSuite(name, SECTIONS, (scale, host) -> new Preparation(List.of(trials), 1, List.of()));
    }

    private static Trial measured(String contestant, double value) {
        return MadeUpSuite.trial("1 stage", contestant, recorder -> {
            recorder.record("rate", value);
            recorder.record("time", 1 / value);
            recorder.recordAt("0 s", "course", value);
            recorder.recordAt("0.50 s", "course", 0);
        });
    }

    private int run(String... arguments) {
        return Main.seda(SUITES).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private int measure(String... arguments) {
        return run(Stream.concat(Stream.of(arguments), Stream.of("--output", directory.resolve("results").toString()))
                .toArray(String[]::new));
    }

    private void assertComplaint(int code, String complaint, String... arguments) {
        assertEquals(code, run(arguments), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().startsWith("sluice seda: ") && err.toString().contains(complaint), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void listsTheExperiments() {
        assertEquals(0, run());
        assertEquals(List.of("sized        what seda-sized is", "works        what seda-works is",
                "fails        what seda-fails is"),
                out.toString().lines().toList());
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertComplaint(2, "there is no experiment 'other'; the experiments are sized, works, fails", "other");
    }

    @Test
    void doesOneThingAtATime() {
        assertComplaint(2, "mutually exclusive", "works", "--quick", "--smallest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--csv", "--chart"})
    void refusesFilesThatCannotBeWritten(String option) {
        Path below = directory.resolve("nowhere").resolve("file");
        assertComplaint(2, option + " " + below + " cannot be written", "works", option, below.toString());
        err.getBuffer().setLength(0);
        assertComplaint(2, option + " " + directory + " is a directory", "works", option, directory.toString());
        err.getBuffer().setLength(0);
        assertComplaint(2, option + " is given without a value", "works", option, "");
    }

    @Test
    void takesALoadOnlyWhereThereIsOne() {
        assertComplaint(2, "--load is not an option of works", "works", "--load", "5");
    }

    @Test
    void givesASuiteItsLoad() {
        assertEquals(0, measure("sized", "--load", "7"), err::toString);
        assertTrue(out.toString().contains("the first     7.00"), out::toString);
        assertEquals(0, measure("sized"), err::toString);
        assertTrue(out.toString().contains("the first     1.00"), out::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "11", "-1"})
    void refusesALoadThatIsTooSmallOrTooLarge(String load) {
        assertComplaint(2, "--load must be 1 to 10, not " + load, "sized", "--load", load);
    }

    @Test
    void refusesAFileForADirectory() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertComplaint(2, "--output " + file + " is not a directory", "works", "--output", file.toString());
    }

    @Test
    void printsTheTables() {
        assertEquals(0, measure("works"), err::toString);
        assertEquals(List.of("rate, 1/s, more is better (times as good as one, so to say)",
                "                     1 stage",
                "one, so to say  1,500 (1.00)",
                "another         3,000 (2.00)",
                "",
                "time, ns, less is better",
                "                                                              1 stage",
                "one, so to say                                                  0.001",
                "another                                                             0",
                "another: at most 0.50 times one, so to say              0.50: reached",
                "one, so to say: at most 0 ns                0.001: missed by 0.001 ns",
                ""), out.toString().lines().toList());
        assertTrue(Files.exists(directory.resolve("results").resolve("RESULTS.md")));
    }

    @Test
    void writesEveryValue() throws IOException {
        Path csv = directory.resolve("values.csv");
        Files.writeString(csv, "what was there before, and is longer than what comes now".repeat(100));
        assertEquals(0, measure("works", "--csv", csv.toString()), err::toString);
        assertEquals(List.of("scenario,contestant,figure,round,value",
                "1 stage,\"one, so to say\",rate,1,1500.0",
                "1 stage,\"one, so to say\",time,1," + 1 / 1500.0,
                "0 s,\"one, so to say\",course,1,1500.0",
                "0.50 s,\"one, so to say\",course,1,0.0",
                "1 stage,another,rate,1,3000.0",
                "1 stage,another,time,1," + 1 / 3000.0,
                "0 s,another,course,1,3000.0",
                "0.50 s,another,course,1,0.0"), Files.readAllLines(csv));
    }

    @Test
    void drawsTheChart() throws IOException {
        Path chart = directory.resolve("a.chart.svg");
        assertEquals(0, measure("works", "--chart", chart.toString()), err::toString);
        String svg = Files.readString(chart);
        assertTrue(svg.contains("<svg") && svg.contains(">one, so to say<"), svg);
    }

    @Test
    void reportsAFailure() {
        assertEquals(1, measure("fails"));
        assertTrue(err.toString().contains("seda-fails: the first, 1 stage: java.io.IOException: too few bytes"),
                err::toString);
        assertEquals("", out.toString());
    }
}

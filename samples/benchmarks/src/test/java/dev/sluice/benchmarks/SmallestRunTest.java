package dev.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.testing.Depth;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Each suite at its smallest: none fails, and each of its tables gets something to show. */
class SmallestRunTest {

    private static final int SOME = 9;
    /** The load generator, whose start costs more than what it measures here. */
    private static final Map<Class<?>, Closeable> SHARED = new HashMap<>();

    @TempDir
    private Path directory;

    @AfterAll
    static void closeShared() throws IOException {
        for (Closeable each : SHARED.values()) {
            each.close();
        }
    }

    /** A suite of which only the first trial is measured, with one server. */
    private record FirstTrial(Suite whole) implements Suite {

        /** What matters to the short life of a JVM is its start. */
        private static final List<String> FAST_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

        @Override
        public String name() {
            return whole.name();
        }

        @Override
        public String summary() {
            return whole.summary();
        }

        @Override
        public String method() {
            return whole.method();
        }

        @Override
        public List<Section> sections() {
            return whole.sections();
        }

        @Override
        public Duration estimate(Scale scale, Host host) {
            return whole.estimate(scale, host);
        }

        @Override
        public Preparation prepare(Scale scale, Host host) throws IOException {
            Preparation all = whole.prepare(scale, host.unpinned(FAST_START).startingAtMost(1).sharing(SHARED));
            return new Preparation(all.trials().stream().limit(1).toList(), 1, all.absences(), all);
        }
    }

    static Stream<Named<Suite>> suites(TestInfo test) {
        return Depth.some(test, Suites.ALL.stream(), SOME).map(suite -> Named.of(suite.name(), suite));
    }

    /** Each measures once; what differs between the trials of one is in the matrix, and so are the other suites. */
    @ParameterizedTest
    @MethodSource("suites")
    void someSuitesBegin(Suite suite) throws IOException {
        Set<String> figures = figures(new FirstTrial(suite));
        assertTrue(suite.sections().stream().anyMatch(section -> figures.contains(section.figure())),
                figures::toString);
    }

    @ParameterizedTest
    @MethodSource("suites")
    @Tag(Depth.IN_MATRIX)
    void everySuiteWorks(Suite suite) throws IOException {
        Set<String> figures = figures(suite);
        for (Section section : suite.sections()) {
            assertTrue(figures.contains(section.figure()), () -> section + " is not in " + figures);
        }
    }

    /** Measures one suite, and returns the figures that it has got. */
    private Set<String> figures(Suite suite) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(List.of(suite))
                .setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

        int code = commandLine.execute(suite.name(), "--smallest", "--output", directory.toString());

        assertEquals(0, code, err::toString);
        Path ofSuite = directory.resolve(suite.name());
        Set<String> figures = Results.read(ofSuite).stream().map(Sample::figure).collect(Collectors.toSet());
        List<String> absences = RunDescription.read(ofSuite).orElseThrow().absences();
        assumeTrue(!figures.isEmpty() || absences.isEmpty(), () -> "nothing is measured here: " + absences);
        assertFalse(figures.isEmpty(), "nothing is measured");
        String report = Files.readString(Path.of(out.toString().strip()));
        assertFalse(report.contains("No chart: "), report);
        return figures;
    }
}

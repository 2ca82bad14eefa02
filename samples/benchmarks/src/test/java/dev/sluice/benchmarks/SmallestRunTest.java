package dev.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Each suite once, at its smallest: none fails, and each of its tables gets something to show. */
class SmallestRunTest {

    @TempDir
    private Path directory;

    static List<Named<Suite>> everySuiteWorks() {
        return Suites.ALL.stream().map(suite -> Named.of(suite.name(), suite)).toList();
    }

    @ParameterizedTest
    @MethodSource
    void everySuiteWorks(Suite suite) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(Suites.ALL)
                .setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

        int code = commandLine.execute(suite.name(), "--smallest", "--output", directory.toString());

        assertEquals(0, code, err::toString);
        Path ofSuite = directory.resolve(suite.name());
        Set<String> figures = Results.read(ofSuite).stream().map(Sample::figure).collect(Collectors.toSet());
        List<String> absences = RunDescription.read(ofSuite).orElseThrow().absences();
        assumeTrue(!figures.isEmpty() || absences.isEmpty(), () -> "nothing is measured here: " + absences);
        for (Section section : suite.sections()) {
            assertTrue(figures.contains(section.figure()), () -> section + " is not in " + figures);
        }
        String report = Files.readString(Path.of(out.toString().strip()));
        assertFalse(report.contains("No chart: "), report);
    }
}

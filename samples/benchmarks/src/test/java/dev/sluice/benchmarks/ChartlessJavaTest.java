package dev.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.SampleProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Java that cannot draw, as one made for servers may be unable to. What has been measured is there nevertheless, and
 * it is said why there is no chart. Here it lacks the whole module that draws.
 */
class ChartlessJavaTest {

    private static final String MODULES = "java.logging,java.management,java.sql,jdk.management,jdk.unsupported,"
            + "jdk.net,jdk.zipfs";

    @TempDir
    private Path directory;

    @Test
    void losesTheChartAlone() throws Exception {
        SampleProcess process = SampleProcess.start(new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--limit-modules", MODULES,
                "-cp", System.getProperty("java.class.path"), ChartlessBenchmarks.class.getName(),
                directory.resolve("results").toString()));
        try (process) {
            assertEquals(0, process.awaitExit(), process.errors()::text);
        }
        List<String> said = process.output().lines();
        String complaints = process.errors().text();
        assertTrue(said.stream().anyMatch(line -> line.matches("first +15.*")), said::toString);
        assertEquals(List.of("scenario,contestant,figure,round,value", "one,first,rate,1,15.0"),
                Files.readAllLines(directory.resolve("own.csv")));
        assertEquals("redrawn: 1", said.stream().filter(line -> line.startsWith("redrawn")).findFirst().orElse(""));
        for (String command : List.of("seda", "bench")) {
            assertTrue(complaints.lines().anyMatch(
                    line -> line.startsWith("sluice " + command + ": this Java cannot draw: ")), complaints);
        }
        assertFalse(complaints.contains("\tat "), complaints);
        String page = Files.readString(directory.resolve("results/results/seda-works.md"));
        assertTrue(page.contains("No chart: this Java cannot draw: ") && page.contains("| first | 15"), page);
        assertEquals("report: 0", said.get(said.size() - 1));
    }
}

package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The report of a run. */
public final class Report {

    /** The name of the file. */
    public static final String FILE = "RESULTS.md";

    private Report() {
    }

    /**
     * Writes the report of what a run has left in a directory, into it.
     *
     * @param directory of the run
     * @param suites    to report; those without samples are left out
     * @return the report's file
     * @throws IOException if something cannot be read or written
     */
    public static Path write(Path directory, List<Suite> suites) throws IOException {
        RunDescription run = RunDescription.read(directory);
        List<Sample> samples = Results.read(directory);
        StringBuilder text = new StringBuilder("# Results\n\n" + run + "\n");
        samples.forEach(sample -> text.append(sample).append('\n'));
        Path file = directory.resolve(FILE);
        Files.writeString(file, text);
        return file;
    }
}

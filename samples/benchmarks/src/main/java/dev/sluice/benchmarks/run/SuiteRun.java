package dev.sluice.benchmarks.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores the results of a suite while it is measured, in a directory of its own below that of the report. The
 * description is written at the beginning, so that the results can be reported even after a sudden end.
 *
 * <p>Safe for use by many threads.
 */
final class SuiteRun implements Closeable {

    private final Path directory;
    private final String command;
    private final Scale scale;
    private final Results results;
    private final List<String> peers = new ArrayList<>();
    private final List<String> absences = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private boolean complete;

    private SuiteRun(Path directory, String command, Scale scale, Results results) {
        this.directory = directory;
        this.command = command;
        this.scale = scale;
        this.results = results;
    }

    /** Begins; what was kept of the suite before is overwritten. */
    static SuiteRun begin(Path output, Suite suite, String command, Scale scale) throws IOException {
        Path directory = Files.createDirectories(output.resolve(suite.name()));
        SuiteRun run = new SuiteRun(directory, command, scale, Results.create(directory));
        try {
            run.describe();
            return run;
        } catch (Throwable e) {
            run.results.close();
            throw e;
        }
    }

    void add(Sample sample) throws IOException {
        results.add(sample);
    }

    /** Keeps some samples no longer. */
    void remove(List<Sample> samples) throws IOException {
        results.remove(samples);
    }

    synchronized void takesPart(String version) {
        peers.add(version);
    }

    synchronized void absent(String line) {
        absences.add(line);
    }

    synchronized void fail(String line) {
        failures.add(line);
    }

    synchronized void complete() {
        complete = true;
    }

    synchronized boolean hasFailed() {
        return !failures.isEmpty();
    }

    /** Writes the description as it is now. */
    synchronized void describe() throws IOException {
        RunDescription.now(command, scale, List.copyOf(peers), complete, List.copyOf(absences), List.copyOf(failures))
                .write(directory);
    }

    @Override
    public void close() throws IOException {
        try (results) {
            describe();
        }
    }
}

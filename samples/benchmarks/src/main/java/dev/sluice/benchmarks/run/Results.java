package dev.sluice.benchmarks.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All samples of a suite's run, in a file of JSON lines, where each stands as soon as it is there.
 *
 * <p>Safe for use by many threads.
 */
public final class Results implements Closeable {

    /** The name of the file. */
    public static final String FILE = "samples.jsonl";

    private final ObjectMapper mapper = new ObjectMapper();
    private final Path path;
    private BufferedWriter file;

    private Results(Path path, BufferedWriter file) {
        this.path = path;
        this.file = file;
    }

    /**
     * Begins a run.
     *
     * @param directory where to; a file of an earlier run is overwritten
     * @return without samples
     * @throws IOException if the file cannot be written
     */
    public static Results create(Path directory) throws IOException {
        Path path = directory.resolve(FILE);
        return new Results(path, Files.newBufferedWriter(path));
    }

    /**
     * {@return the samples of an earlier run}
     *
     * @param directory of that suite
     * @throws IOException if there are none, or they cannot be read
     */
    public static List<Sample> read(Path directory) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        List<Sample> samples = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve(FILE))) {
            samples.add(mapper.readValue(line, Sample.class));
        }
        return samples;
    }

    /**
     * Keeps a sample.
     *
     * @param sample to keep
     * @throws IOException if it cannot be written
     */
    public synchronized void add(Sample sample) throws IOException {
        file.write(mapper.writeValueAsString(sample));
        file.newLine();
        file.flush();
    }

    /**
     * Keeps samples no longer.
     *
     * @param samples to remove
     * @throws IOException if the others cannot be written
     */
    public synchronized void remove(Collection<Sample> samples) throws IOException {
        Set<String> lines = new HashSet<>();
        for (Sample sample : samples) {
            lines.add(mapper.writeValueAsString(sample));
        }
        List<String> others = Files.readAllLines(path).stream().filter(line -> !lines.contains(line)).toList();
        file.close();
        // The file is complete at any moment, so that an interrupted run can be reported.
        Path next = path.resolveSibling(FILE + ".next");
        Files.write(next, others);
        Files.move(next, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        file = Files.newBufferedWriter(path, StandardOpenOption.APPEND);
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}

package dev.sluice.benchmarks.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All samples of a suite's run, in a file of JSON lines, where each stands as soon as it is there.
 *
 * <p>Safe for use by many threads.
 */
public final class Results implements Closeable {

    /** The name of the file. */
    public static final String FILE = "samples.jsonl";

    private final ObjectMapper mapper = new ObjectMapper();
    private final BufferedWriter file;

    private Results(BufferedWriter file) {
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
        return new Results(Files.newBufferedWriter(directory.resolve(FILE)));
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

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}

package dev.sluice.benchmarks.workload;

import dev.sluice.benchmarks.run.Recorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;

/**
 * Passes the results of one process to another: for each figure a line with its value, its name, and, if it is part of
 * a course, its time.
 *
 * @param out the destination
 */
record PrintedFigures(PrintStream out) implements Recorder {

    private static final String SEPARATOR = "\t";

    @Override
    public void record(String figure, double value) {
        out.println(value + SEPARATOR + figure);
    }

    @Override
    public void recordAt(String at, String figure, double value) {
        out.println(value + SEPARATOR + figure + SEPARATOR + at);
    }

    /** Reads what another process has told. */
    static void read(BufferedReader lines, Recorder recorder) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split(SEPARATOR);
            double value = Double.parseDouble(parts[0]);
            if (parts.length > 2) {
                recorder.recordAt(parts[2], parts[1], value);
            } else {
                recorder.record(parts[1], value);
            }
        }
    }
}

package dev.sluice.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.benchmarks.run.Recorder;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one process prints, another reads. */
class PrintedFiguresTest {

    @Test
    void areReadAsTheyWereRecorded() throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, false, StandardCharsets.UTF_8)) {
            PrintedFigures figures = new PrintedFigures(out);
            figures.record("events per second", 1.5e9);
            figures.recordAt("0.25 s", "rate over time", 1 / 3.0);
        }
        List<String> read = new ArrayList<>();
        PrintedFigures.read(new BufferedReader(new StringReader(printed.toString(StandardCharsets.UTF_8))),
                new Recorder() {

                    @Override
                    public void record(String figure, double value) {
                        read.add(figure + " = " + value);
                    }

                    @Override
                    public void recordAt(String at, String figure, double value) {
                        read.add(figure + " at " + at + " = " + value);
                    }
                });
        assertEquals(List.of("events per second = 1.5E9", "rate over time at 0.25 s = " + 1 / 3.0), read);
    }
}

package dev.sluice.benchmarks.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is made of the output of fio, whose place a script takes. */
@DisabledOnOs(OS.WINDOWS)
class FioTest {

    private static final Duration TIME = Duration.ofMillis(700);

    @TempDir
    private Path directory;
    private final Map<String, Double> figures = new HashMap<>();

    private Path program(String lines) throws IOException {
        Path path = Files.writeString(directory.resolve("fio"), "#!/bin/sh\necho \"$@\" >> arguments\n" + lines + "\n");
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    }

    private Fio measure(String lines, Job job, boolean registered) throws IOException {
        Job onFile = job.on(directory.resolve("blocks"));
        Fio fio = Fio.start(new Host(directory), program(lines), registered, onFile);
        fio.measure(onFile, TIME, new Recorder() {
            @Override
            public void record(String figure, double value) {
                figures.put(figure, value);
            }

            @Override
            public void recordAt(String at, String figure, double value) {
                throw new AssertionError(figure);
            }
        });
        return fio;
    }

    @Test
    void takesTheFiguresOfReads() throws IOException {
        Fio fio = measure("""
                echo 'fio: a warning'
                echo '{"fio version": "fio-3.33",'
                echo '"jobs": [{"usr_cpu": 5, "sys_cpu": 95, "job_runtime": 70000,'
                echo '"read": {"total_ios": 7000, "runtime": 700, "lat_ns": {"percentile":'
                echo '{"50.000000": 1500, "99.000000": 2500, "99.900000": 3500}}}, "write": {"total_ios": 0}}]}'""",
                Job.direct(false, 128), true);
        assertEquals("fio-3.33", fio.version());
        assertEquals(10_000, figures.get(Figures.PER_SECOND), 0.001);
        assertEquals(10_000 * 4 / 1024.0, figures.get(Figures.BYTES), 0.001);
        assertEquals(1.5, figures.get(Figures.MEDIAN));
        assertEquals(2.5, figures.get(Figures.HIGH));
        assertEquals(3.5, figures.get(Figures.HIGHEST));
        // The script takes less than the 70 s that it says.
        assertEquals(10_000, figures.get(Figures.PROCESSOR), 0.001);
        List<String> runs = Files.readAllLines(directory.resolve("arguments"));
        assertTrue(runs.get(0).contains("--number_ios=1") && !runs.get(0).contains("--runtime"), runs::toString);
        for (String argument : List.of("--rw=randread", "--bs=4096", "--iodepth=128", "--direct=1", "--fixedbufs",
                "--registerfiles", "--runtime=700ms")) {
            assertTrue(runs.get(runs.size() - 1).contains(argument), runs::toString);
        }
    }

    @Test
    void reportsWhatFioSaysWhenItFails() throws IOException {
        IOException failure = assertThrows(IOException.class,
                () -> measure("echo 'fio: engine io_uring not loadable'; exit 1", Job.cached(true, 1), false));
        assertEquals("fio failed: fio: engine io_uring not loadable", failure.getMessage());
    }

    @Test
    void refusesOutputThatItDoesNotUnderstand() {
        IOException failure = assertThrows(IOException.class,
                () -> measure("echo '{\"jobs\": []}'", Job.cached(true, 1), false));
        assertTrue(failure.getMessage().contains("unexpected output of fio"), failure.getMessage());
    }
}

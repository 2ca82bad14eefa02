package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/**
 * Operations that fio performs.
 *
 * @param scenario   see {@link Trial#scenario}
 * @param contestant see {@link Trial#contestant}
 * @param fio        the program
 * @param job        the operations
 * @param measured   the length of the measurement
 */
record FioTrial(String scenario, String contestant, Fio fio, Job job, Duration measured) implements Trial {

    // What the program needs until it begins, and until it has ended.
    private static final Duration OVERHEAD = Duration.ofMillis(500);

    @Override
    public Duration planned() {
        return measured.plus(OVERHEAD);
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        fio.measure(job, measured, recorder);
    }
}

package dev.sluice.benchmarks.seda.little;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.time.Duration;

/**
 * What Little's law says, beside what the stages do.
 *
 * @param scenario as theirs
 * @param arrivals what comes
 */
record LittleTrial(String scenario, Arrivals arrivals) implements Trial {

    static final String CONTESTANT = "Little's law";

    @Override
    public String contestant() {
        return CONTESTANT;
    }

    @Override
    public Duration planned() {
        return Duration.ZERO;
    }

    @Override
    public void measure(Recorder recorder) {
        recorder.record(BlockingStage.THREADS, arrivals.threads());
    }
}

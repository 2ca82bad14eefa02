package dev.sluice.benchmarks.seda.shedding;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.time.Duration;

/**
 * How many threads there are work for: a page costs nothing but processor time.
 *
 * @param scenario   of the servers it is compared with
 * @param processors that a server has
 */
record ProcessorsTrial(String scenario, int processors) implements Trial {

    @Override
    public String contestant() {
        return SheddingSuite.PROCESSORS;
    }

    @Override
    public Duration planned() {
        return Duration.ZERO;
    }

    @Override
    public void measure(Recorder recorder) {
        recorder.record(SheddingTrial.THREADS, processors);
    }
}

package dev.sluice.benchmarks.lucene;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/**
 * A trial that begins with nothing of the index in the system's cache.
 *
 * @param trial measures
 * @param index the index
 * @param group limits the memory; null if nothing does
 * @param limit of the memory, in bytes
 */
record SearchTrial(Trial trial, SearchedIndex index, MemoryGroup group, long limit) implements Trial {

    @Override
    public String scenario() {
        return trial.scenario();
    }

    @Override
    public String contestant() {
        return trial.contestant();
    }

    @Override
    public Duration planned() {
        return trial.planned();
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        try {
            index.evict();
        } catch (UnsupportedOperationException e) {
            throw new IOException("the system's cache cannot be emptied of the index", e);
        }
        if (group == null) {
            trial.measure(recorder);
            return;
        }
        group.open(limit);
        try (group) {
            trial.measure(recorder);
        }
    }
}

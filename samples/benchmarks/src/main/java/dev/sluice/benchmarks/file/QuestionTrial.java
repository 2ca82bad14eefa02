package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/**
 * A trial whose figures are those of one question.
 *
 * @param figures gives them their names
 * @param trial   measures
 * @param files   on which it works
 * @param cached  whether it leaves changes in the page cache; if not, none must be there
 */
record QuestionTrial(Figures figures, Trial trial, TrialFiles files, boolean cached) implements Trial {

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
        if (!cached) {
            files.writeChanges();
        }
        trial.measure(figures.to(recorder));
        if (cached) {
            files.changed();
        }
    }
}

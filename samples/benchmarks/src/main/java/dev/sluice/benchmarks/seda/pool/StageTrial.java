package dev.sluice.benchmarks.seda.pool;

import dev.sluice.benchmarks.peers.StagesPage;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * One stage, as it was seen while the bursts were measured, which has to be before this.
 *
 * @param stage  its name
 * @param bursts were measured
 */
record StageTrial(String stage, BurstsTrial bursts) implements Trial {

    static final String MAX_THREADS = "most threads of a stage";
    static final String THREADS_LEFT = "threads of a stage when the pause after the bursts ends";
    static final String LONGEST_QUEUE = "longest queue of a stage";
    static final String THREADS = "threads over time";
    static final String QUEUE = "events in the queue over time";

    @Override
    public String scenario() {
        return bursts.scenario();
    }

    @Override
    public String contestant() {
        return PoolSuite.contestant(stage);
    }

    @Override
    public Duration planned() {
        return Duration.ZERO;
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        for (BurstsTrial.Period period : bursts.periods()) {
            int maxThreads = 0;
            int longestQueue = 0;
            int threads = 0;
            for (StagesPage.Look look : period.looks()) {
                StagesPage.Look.Glimpse glimpse = look.stage(stage);
                threads = glimpse.threads();
                maxThreads = Math.max(maxThreads, threads);
                longestQueue = Math.max(longestQueue, glimpse.length());
                String at = String.format(Locale.ROOT, "%.2f s", look.seconds());
                recorder.recordAt(at, THREADS, threads);
                recorder.recordAt(at, QUEUE, glimpse.length());
            }
            recorder.recordAt(period.scenario(), MAX_THREADS, maxThreads);
            recorder.recordAt(period.scenario(), LONGEST_QUEUE, longestQueue);
            recorder.recordAt(period.scenario(), THREADS_LEFT, threads);
        }
    }
}

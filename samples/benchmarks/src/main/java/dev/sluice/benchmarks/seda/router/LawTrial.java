package dev.sluice.benchmarks.seda.router;

import dev.sluice.benchmarks.load.Packets;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.time.Duration;

/**
 * What Little's law says of the threads that sleep on queries.
 *
 * @param perSecond the number of packets that come
 */
record LawTrial(int perSecond) implements Trial {

    private static final double HUNDRED = 100;
    private static final double MILLIS_PER_SECOND = 1000;

    @Override
    public String scenario() {
        return RouterSuite.scenario(perSecond);
    }

    @Override
    public String contestant() {
        return RouterSuite.LAW;
    }

    @Override
    public Duration planned() {
        return Duration.ZERO;
    }

    @Override
    public void measure(Recorder recorder) {
        recorder.record(RouterSuite.THREADS, perSecond * (Packets.QUERY_PERCENT / HUNDRED)
                * (RouterSuite.DELAY_MILLIS / MILLIS_PER_SECOND));
    }
}

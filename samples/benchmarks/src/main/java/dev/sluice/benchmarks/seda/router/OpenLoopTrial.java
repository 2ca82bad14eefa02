package dev.sluice.benchmarks.seda.router;

import dev.sluice.benchmarks.load.Packets;
import dev.sluice.benchmarks.load.PacketsResult;
import dev.sluice.benchmarks.run.Recorder;
import java.time.Duration;
import java.util.OptionalDouble;

/** Pings and queries at a fixed rate, delivered or not. */
final class OpenLoopTrial extends RouterTrial {

    private static final double MICROS_PER_MILLI = 1e3;

    private final int perSecond;

    /**
     * Creates a trial.
     *
     * @param perSecond  the number of packets per second
     * @param contestant see {@link RouterTrial}
     * @param threads    the most of the router stage
     * @param setting    see {@link RouterTrial}
     */
    OpenLoopTrial(int perSecond, String contestant, int threads, Setting setting) {
        super(RouterSuite.scenario(perSecond), contestant, setting, "--threads", Integer.toString(threads),
                "--query-delay", Integer.toString(RouterSuite.DELAY_MILLIS));
        this.perSecond = perSecond;
    }

    @Override
    Packets packets(int port, Duration warmUp, Duration measured, long server) {
        return Packets.at(port, perSecond, warmUp, measured, server);
    }

    @Override
    void record(PacketsResult result, OptionalDouble threads, Recorder recorder) {
        threads.ifPresent(value -> recorder.record(RouterSuite.THREADS, value));
        recorder.record(RouterSuite.MEAN, result.mean() / MICROS_PER_MILLI);
        recorder.record(RouterSuite.HIGH, result.p99() / MICROS_PER_MILLI);
    }
}

package dev.sluice.benchmarks.seda.router;

import dev.sluice.benchmarks.load.Packets;
import dev.sluice.benchmarks.load.PacketsResult;
import dev.sluice.benchmarks.run.Recorder;
import java.time.Duration;
import java.util.OptionalDouble;

/** Queries to some neighbours, of whom one may read nothing. */
final class SlowPeerTrial extends RouterTrial {

    private static final int RECEIVERS = 3;
    /** With so many characters, what the system keeps for a connection, some 4 MB, is full in a second. */
    private static final int TEXT = 1_000;
    private static final double MICROS_PER_MILLI = 1e3;

    private final int slow;
    private final int perSecond;

    /**
     * Creates a trial.
     *
     * @param slow       how many read nothing: none or one
     * @param perSecond  the number of packets per second
     * @param contestant see {@link RouterTrial}
     * @param setting    see {@link RouterTrial}
     */
    SlowPeerTrial(int slow, int perSecond, String contestant, Setting setting) {
        super(scenario(slow), contestant, setting);
        this.slow = slow;
        this.perSecond = perSecond;
    }

    @Override
    Packets packets(int port, Duration warmUp, Duration measured, long server) {
        return packets(port, slow, perSecond, warmUp, measured, server);
    }

    static String scenario(int slow) {
        return slow == 0 ? RouterSuite.ALL_READ : RouterSuite.ONE_SLOW;
    }

    static Packets packets(int port, int slow, int perSecond, Duration warmUp, Duration measured, long server) {
        return Packets.toSome(port, RECEIVERS, slow, perSecond, TEXT, warmUp, measured, server);
    }

    @Override
    void record(PacketsResult result, OptionalDouble threads, Recorder recorder) {
        recorder.record(RouterSuite.HIGH_OF_OTHERS, result.p99() / MICROS_PER_MILLI);
    }
}

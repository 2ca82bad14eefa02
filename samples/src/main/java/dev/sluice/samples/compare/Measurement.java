package dev.sluice.samples.compare;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What was measured of a setup under a workload, in all repetitions together. */
final class Measurement {

    private static final int SIGNIFICANT_DIGITS = 2;
    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private final Histogram latencies = newHistogram();
    private long nanos;
    private ServerFigures used = new ServerFigures(0, 0, 0);

    /** {@return one for latencies in nanoseconds} */
    static Histogram newHistogram() {
        return new Histogram(SIGNIFICANT_DIGITS);
    }

    /**
     * Adds a repetition.
     *
     * @param responses the latency of each
     * @param duration  how long it took, in nanoseconds
     * @param usedUp    by the server
     */
    void add(Histogram responses, long duration, ServerFigures usedUp) {
        latencies.add(responses);
        nanos += duration;
        used = used.plus(usedUp);
    }

    boolean isEmpty() {
        return latencies.getTotalCount() == 0;
    }

    double requestsPerSecond() {
        return latencies.getTotalCount() * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }

    double latencyMicros(double percentile) {
        return latencies.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    double switchesPerRequest() {
        return perRequest(used.switches());
    }

    double bytesPerRequest() {
        return perRequest(used.bytes());
    }

    double cpuMicrosPerRequest() {
        return perRequest(used.cpuNanos()) / NANOS_PER_MICRO;
    }

    private double perRequest(long total) {
        return total / (double) latencies.getTotalCount();
    }
}

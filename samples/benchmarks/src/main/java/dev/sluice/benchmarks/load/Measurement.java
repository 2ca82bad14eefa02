package dev.sluice.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.HdrHistogram.Histogram;

/** Counts messages and latencies while it is measured. For one thread. */
final class Measurement {

    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICROSECOND = 1e3;

    private final OperatingSystemMXBean self = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Histogram latencies = new Histogram(LONGEST_NANOS, DIGITS);
    private final ServerCpu server;
    private boolean measuring;
    private boolean over;
    private long began;
    private long ended;
    private double serverCpu;
    private long selfCpu;
    private long bytes;

    /**
     * Creates a measurement that has not begun.
     *
     * @param server the process whose CPU time counts
     */
    Measurement(long server) {
        this.server = new ServerCpu(server);
    }

    /** Begins to count. */
    void begin() throws IOException {
        serverCpu = server.seconds();
        selfCpu = self.getProcessCpuTime();
        began = System.nanoTime();
        measuring = true;
    }

    /** Counts no more; and no more is sent. */
    void end() throws IOException {
        ended = System.nanoTime();
        selfCpu = self.getProcessCpuTime() - selfCpu;
        serverCpu = server.seconds() - serverCpu;
        measuring = false;
        over = true;
    }

    /** {@return whether it has ended} */
    boolean isOver() {
        return over;
    }

    /**
     * A part of a reply has come.
     *
     * @param count the number of bytes
     */
    void received(int count) {
        if (measuring) {
            bytes += count;
        }
    }

    /**
     * A reply has come.
     *
     * @param nanos after its message was sent
     */
    void completed(long nanos) {
        if (measuring) {
            latencies.recordValue(Math.min(nanos, LONGEST_NANOS));
        }
    }

    /** {@return what was measured between begin and end} */
    LoadResult result() {
        double nanos = ended - began;
        return new LoadResult(nanos / NANOS_PER_SECOND, latencies.getTotalCount(), bytes, microseconds(50),
                microseconds(99), microseconds(99.9), Double.isNaN(serverCpu) ? null : serverCpu, selfCpu / nanos);
    }

    private double microseconds(double percentile) {
        return latencies.getValueAtPercentile(percentile) / NANOS_PER_MICROSECOND;
    }
}

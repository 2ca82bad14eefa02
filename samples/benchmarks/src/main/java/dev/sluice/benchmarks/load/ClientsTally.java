package dev.sluice.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Counts what clients meet. For one thread. */
final class ClientsTally {

    private static final int DIGITS = 3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICROSECOND = 1e3;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final double HIGH = 90;

    private final OperatingSystemMXBean self = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Histogram times = new Histogram(DIGITS);
    private final ServerCpu server;
    private final long[] servedByClient;
    private boolean begun;
    private boolean over;
    private long began;
    private long ended;
    private double serverCpu;
    private long selfCpu;
    private long refused;
    private long unanswered;
    private long bytes;
    private final long start = System.nanoTime();
    private final long windowNanos;
    private final Histogram window = new Histogram(DIGITS);
    private final List<Double> course = new ArrayList<>();

    /**
     * Creates a tally that has not begun to count; the course begins at once.
     *
     * @param clients      the number of clients
     * @param windowMillis length of the windows of the course; 0 for none
     * @param server       the process whose CPU time counts
     */
    ClientsTally(int clients, long windowMillis, long server) {
        this.windowNanos = windowMillis * NANOS_PER_MILLI;
        this.servedByClient = new long[clients];
        this.server = new ServerCpu(server);
    }

    /** Begins to count. */
    void begin() throws IOException {
        serverCpu = server.seconds();
        selfCpu = self.getProcessCpuTime();
        began = System.nanoTime();
        begun = true;
    }

    /** From now on only the times of what has been asked for count. */
    void end() throws IOException {
        ended = System.nanoTime();
        if (windowNanos > 0) {
            endWindowsBefore(ended);
        }
        selfCpu = self.getProcessCpuTime() - selfCpu;
        serverCpu = server.seconds() - serverCpu;
        over = true;
    }

    /** {@return whether it has ended} */
    boolean isOver() {
        return over;
    }

    /** A part of a reply has come. */
    void received(int count) {
        if (begun && !over) {
            bytes += count;
        }
    }

    /**
     * A client has got a page.
     *
     * @param client its number
     * @param nanos  after it wanted it
     */
    void served(int client, long nanos) {
        if (windowNanos > 0 && !over) {
            endWindowsBefore(System.nanoTime());
            window.recordValue(nanos);
        }
        if (begun) {
            times.recordValue(nanos);
            if (!over) {
                servedByClient[client]++;
            }
        }
    }

    private void endWindowsBefore(long now) {
        while (now - start >= (course.size() + 1) * windowNanos) {
            course.add(window.getTotalCount() == 0 ? 0 : window.getValueAtPercentile(HIGH) / NANOS_PER_MICROSECOND);
            window.reset();
        }
    }

    /** A client has been refused a page. */
    void refused() {
        if (begun && !over) {
            refused++;
        }
    }

    /** A client has got no reply, be it too late or because its connection has ended. */
    void unanswered() {
        if (begun) {
            unanswered++;
        }
    }

    /** A visitor has left without a reply. Counts in the same time as replies, so that its share is right. */
    void lostPatience() {
        if (begun && !over) {
            unanswered++;
        }
    }

    /**
     * A client still waits for a page. As if it came now, or the longest times would be missing.
     *
     * @param nanos since it wanted it
     */
    void waitsStill(long nanos) {
        unanswered++;
        times.recordValue(nanos);
    }

    /**
     * {@return what was measured}
     *
     * @param beside what was measured of the clients beside these; null if there were none
     */
    ClientsResult result(ClientsResult beside) {
        long served = 0;
        for (long each : servedByClient) {
            served += each;
        }
        double nanos = ended - began;
        return new ClientsResult(nanos / NANOS_PER_SECOND, served, refused, unanswered, bytes,
                fairness(servedByClient), times.getTotalCount() == 0 ? 0 : times.getMean() / NANOS_PER_MICROSECOND,
                ClientsResult.SHARES.stream()
                        .map(share -> times.getValueAtPercentile(share) / NANOS_PER_MICROSECOND).toList(),
                Double.isNaN(serverCpu) ? null : serverCpu, List.copyOf(course), selfCpu / nanos,
                beside);
    }

    /**
     * {@return Jain's index: the square of the sum, divided by the sum of the squares and the number of clients; 0 if
     * no client got anything}
     */
    static double fairness(long... shares) {
        double sum = 0;
        double squares = 0;
        for (long share : shares) {
            sum += share;
            squares += (double) share * share;
        }
        return squares == 0 ? 0 : sum * sum / (shares.length * squares);
    }
}

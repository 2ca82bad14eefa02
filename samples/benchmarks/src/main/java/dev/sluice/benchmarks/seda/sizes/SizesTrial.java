package dev.sluice.benchmarks.seda.sizes;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.ClientsResult;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/**
 * One server, clients that ask for a small page, and clients that ask for a large one.
 *
 * @param large      the number of clients that ask for the large page
 * @param contestant the name of the server
 * @param server     is measured
 * @param generator  has the clients
 * @param times      the lengths of the phases
 */
record SizesTrial(int large, String contestant, ServerProcess server, LoadGenerator generator, Clients.Times times)
        implements Trial {

    static final String SMALL_HIGH = "90th percentile of the response time of small pages";
    static final String SMALL_MEDIAN = "median response time of small pages";
    static final String SMALL_RATE = "small pages per second";
    static final String LARGE_RATE = "large pages per second";
    static final String LARGE_MEAN = "mean response time of large pages";
    static final String LARGE_LONGEST = "longest response time of large pages";
    static final String FAIRNESS = "Jain's index of fairness among those who ask for large pages";

    static final String SMALL_PAGE = "/small";
    static final String LARGE_PAGE = "/large";
    static final int SMALL_SIZE = 1024;
    static final int LARGE_SIZE = 1 << 20;
    /** Clients that ask for the small page. */
    static final int SMALL_CLIENTS = 64;

    private static final double MICROS_PER_MILLI = 1e3;
    private static final double HALF = 50;
    private static final double HIGH = 90;
    private static final double ALL = 100;
    private static final double MEGA = 1e6;

    static String scenario(int large) {
        return large + " clients";
    }

    @Override
    public String scenario() {
        return scenario(large);
    }

    @Override
    public Duration planned() {
        return times.warmUp().plus(times.measured());
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        Clients ofLarge = Clients.ofPage(server.port(), large, LARGE_PAGE, LARGE_SIZE, false, times, Duration.ZERO,
                server.pid());
        ClientsResult small = generator.measure(Clients.ofPage(server.port(), SMALL_CLIENTS, SMALL_PAGE, SMALL_SIZE,
                false, times, Duration.ZERO, server.pid()).beside(ofLarge));
        ClientsResult others = small.beside();
        // In a short time on a busy machine it may have come too late to count for the throughput.
        if (small.mean() == 0 || others.mean() == 0) {
            throw new IOException("nothing has come at all");
        }
        if (small.refused() + others.refused() + small.unanswered() + others.unanswered() > 0) {
            throw new IOException("requests were refused, or not answered: " + small);
        }
        recorder.record(SMALL_HIGH, small.percentile(HIGH) / MICROS_PER_MILLI);
        recorder.record(SMALL_MEDIAN, small.percentile(HALF) / MICROS_PER_MILLI);
        recorder.record(SMALL_RATE, small.served() / small.seconds());
        recorder.record(LARGE_RATE, others.served() / others.seconds());
        recorder.record(LARGE_MEAN, others.mean() / MICROS_PER_MILLI);
        recorder.record(LARGE_LONGEST, others.percentile(ALL) / MICROS_PER_MILLI);
        recorder.record(FAIRNESS, others.fairness());
        recorder.record("share of time that the load generator was busy", small.generatorBusy());
        if (small.serverCpuSeconds() != null && others.served() > 0) {
            recorder.record("CPU time of the server per large page", small.serverCpuSeconds() * MEGA
                    / others.served());
        }
    }
}

package dev.sluice.benchmarks.seda.web;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.ClientsResult;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;

/** One server, and some clients that ask for files and think. */
final class ClientsTrial implements Trial {

    static final String RATE = "throughput";
    static final String FAIRNESS = "Jain's index of fairness";
    static final String MEDIAN = "median response time";
    static final String MEAN = "mean response time";
    static final String HIGH = "99.9th percentile of the response time";
    static final String LONGEST = "longest response time";
    static final String DISTRIBUTION = "response time that one of a number of requests exceeds, with the most clients";
    static final String UNANSWERED = "requests without an answer";

    private static final double BITS_PER_BYTE = 8;
    private static final double MEGA = 1e6;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double ALL = 100;
    private static final double NEARLY_ALL = 99.9;
    private static final double HALF = 50;

    private final int clients;
    private final int directories;
    private final String contestant;
    private final ServerProcess server;
    private final LoadGenerator generator;
    private final Clients.Times times;
    private final Duration first;
    private final boolean isDistributed;
    private boolean warm;

    /**
     * Creates a trial.
     *
     * @param clients       the number of clients
     * @param directories   of the files that they ask for
     * @param contestant    the name of the server
     * @param server        is measured
     * @param generator     has the clients
     * @param times         the lengths of the phases
     * @param first         the first warm-up
     * @param isDistributed whether the whole distribution of the response times is recorded
     */
    ClientsTrial(int clients, int directories, String contestant, ServerProcess server, LoadGenerator generator,
            Clients.Times times, Duration first, boolean isDistributed) {
        this.clients = clients;
        this.directories = directories;
        this.contestant = contestant;
        this.server = server;
        this.generator = generator;
        this.times = times;
        this.first = first;
        this.isDistributed = isDistributed;
    }

    /** {@return the scenario of so many clients} */
    static String scenario(int clients) {
        return clients == 1 ? "1 client" : clients + " clients";
    }

    @Override
    public String scenario() {
        return scenario(clients);
    }

    @Override
    public String contestant() {
        return contestant;
    }

    @Override
    public Duration planned() {
        return times.warmUp().plus(times.measured());
    }

    @Override
    public Duration plannedAtFirst() {
        return first.plus(times.measured());
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        Clients.Times now = warm ? times : new Clients.Times(first, times.measured(), times.timeout());
        ClientsResult result = generator.measure(
                Clients.ofFiles(server.port(), clients, directories, now, server.pid()));
        warm = true;
        // In a short time on a busy machine it may have come too late to count for the throughput.
        if (result.mean() == 0) {
            throw new IOException("nothing has come at all");
        }
        if (result.refused() > 0) {
            throw new IOException(result.refused() + " requests were refused");
        }
        recorder.record(RATE, result.bytes() * BITS_PER_BYTE / MEGA / result.seconds());
        recorder.record(FAIRNESS, result.fairness());
        recorder.record(MEDIAN, result.percentile(HALF) / MICROS_PER_MILLI);
        recorder.record(MEAN, result.mean() / MICROS_PER_MILLI);
        recorder.record(HIGH, result.percentile(NEARLY_ALL) / MICROS_PER_MILLI);
        recorder.record(LONGEST, result.percentile(ALL) / MICROS_PER_MILLI);
        recorder.record(UNANSWERED, result.unanswered());
        recorder.record("requests per second", result.served() / result.seconds());
        recorder.record("share of time that the load generator was busy", result.generatorBusy());
        if (result.serverCpuSeconds() != null && result.served() > 0) {
            recorder.record("CPU time per request", result.serverCpuSeconds() / result.served() * MEGA);
        }
        if (isDistributed) {
            for (double share : ClientsResult.SHARES) {
                if (share < ALL) {
                    recorder.recordAt(oneOf(share), DISTRIBUTION, result.percentile(share) / MICROS_PER_MILLI);
                }
            }
        }
    }

    /** {@return one of how many requests takes longer than a share of them, and that share} */
    private static String oneOf(double share) {
        return Math.round(ALL / (ALL - share)) + " (" + new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(
                Locale.ROOT)).format(share) + " %)";
    }
}

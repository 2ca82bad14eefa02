package dev.sluice.benchmarks.seda.today;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.ClientsResult;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.Visits;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.samples.haboob.Bottleneck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One server under some load.
 *
 * @param server    by its name, and how to start it
 * @param ratio     how many times as long as it computes a page waits
 * @param load      how many times as many visitors come as the processor could compute pages for
 * @param perSecond the mean number of visitors per second
 * @param times     the lengths of the phases, and how long a visitor waits
 * @param generator has the visitors
 * @param host      the host to run on
 */
record TodayTrial(MeasuredPeer server, int ratio, double load, double perSecond, Clients.Times times,
        LoadGenerator generator, Host host) implements Trial {

    static final String FAIRNESS = "Jain's index of fairness among 64 users";
    static final String MEMORY = "most memory of the process";
    static final String REFUSED = "share of visitors who are refused";
    static final String LOST = "share of visitors who lose patience";
    static final List<Double> SHARES = List.of(50.0, 90.0, 99.0, 99.9);

    private static final String PEAK = "VmHWM:";
    private static final double KIB_PER_MB = 1000 / 1.024;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double HUNDRED = 100;
    private static final Duration START = Duration.ofSeconds(1);

    /** {@return the figure of the pages that were served, by how long they wait} */
    static String served(int ratio) {
        return "pages per second, each of which " + waits(ratio);
    }

    private static String waits(int ratio) {
        return ratio == 0 ? "only computes" : "waits " + ratio + " times as long as it computes";
    }

    static String percentile(double share) {
        if (share == SHARES.get(0)) {
            return "median response time of what is served";
        }
        return (share % 1 == 0 ? Long.toString((long) share) : Double.toString(share))
                + "th percentile of the response time of what is served";
    }

    static String load(double load) {
        return String.format(Locale.ROOT, load < 1 ? "%.1f" : "%.0f", load) + " times the load";
    }

    @Override
    public String scenario() {
        return load(load) + ", waiting " + ratio;
    }

    @Override
    public String contestant() {
        return server.name();
    }

    @Override
    public Duration planned() {
        return START.plus(times.warmUp()).plus(times.measured()).plus(times.timeout());
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        try (ServerProcess process = server.starter().start(host, contestant()).await()) {
            ClientsResult result = generator.measure(Visits.of(process.port(), perSecond, "/bottleneck",
                    Bottleneck.SIZE, times, process.pid()));
            double served = result.served();
            recorder.recordAt(load(load), served(ratio), served / result.seconds());
            if (result.mean() > 0) {
                for (double share : SHARES) {
                    recorder.record(percentile(share), result.percentile(share) / MICROS_PER_MILLI);
                }
                recorder.record(FAIRNESS, result.fairness());
            }
            double all = served + result.refused() + result.unanswered();
            if (all > 0) {
                recorder.record(REFUSED, HUNDRED * result.refused() / all);
                recorder.record(LOST, HUNDRED * result.unanswered() / all);
            }
            recordMemory(process, recorder);
            recorder.record("share of time that the load generator was busy", result.generatorBusy());
        }
    }

    private static void recordMemory(ServerProcess process, Recorder recorder) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (Files.isReadable(status)) {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith(PEAK)) {
                    recorder.record(MEMORY, Long.parseLong(line.replaceAll("\\D", "")) / KIB_PER_MB);
                }
            }
        }
    }
}

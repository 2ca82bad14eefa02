package dev.sluice.benchmarks.seda.shedding;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.ClientsResult;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.peers.StagesPage;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One server, and clients that all want its most expensive page.
 *
 * @param server    by its name, and how to start it
 * @param staged    whether it has stages and a status page
 * @param clients   the number of clients
 * @param obedient  whether they wait as long as the server asks them to
 * @param target    for the response time
 * @param generator has the clients
 * @param host      the host to run on
 * @param times     the lengths of the phases
 */
record SheddingTrial(MeasuredPeer server, boolean staged, int clients, boolean obedient, Duration target,
        LoadGenerator generator, Host host, Clients.Times times) implements Trial {

    static final String SERVED = "pages per second";
    static final String HIGH = "90th percentile of the response time of what is served";
    static final String COURSE = "90th percentile of the response time over the whole run";
    static final String LONGEST = "longest response time of what is served";
    static final String REFUSED = "share of answers that refuse";
    static final String UNANSWERED = "requests without an answer";
    static final String THREADS = "threads of the bottleneck at the end";
    static final String AFTER_THINKING = "again after 20 ms";
    static final String AS_TOLD = "again after Retry-After";

    static final String PATH = "/bottleneck";
    /** Of the page, in bytes. */
    static final int SIZE = 8 * 1024;

    private static final String BOTTLENECK = "Bottleneck";
    private static final double MICROS_PER_NANO = 1e-3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double HUNDRED = 100;
    private static final double NINETY = 90;
    private static final Duration START = Duration.ofSeconds(1);

    static String scenario(boolean obedient) {
        return obedient ? AS_TOLD : AFTER_THINKING;
    }

    @Override
    public String scenario() {
        return scenario(obedient);
    }

    @Override
    public String contestant() {
        return server.name();
    }

    @Override
    public Duration planned() {
        return START.plus(times.warmUp()).plus(times.measured()).plus(target);
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        try (ServerProcess process = server.starter().start(host, contestant()).await()) {
            ClientsResult result = generator.measure(Clients.ofPage(process.port(), clients, PATH, SIZE, obedient,
                    times, target, process.pid()));
            // In a short time on a busy machine it may have come too late to count for the throughput.
            if (result.mean() == 0) {
                throw new IOException("no client was served");
            }
            double targetMicros = target.toNanos() * MICROS_PER_NANO;
            recorder.record(SERVED, result.served() / result.seconds());
            recorder.record(HIGH, result.percentile(NINETY) / targetMicros);
            if (!obedient) {
                recordCourse(recorder, result.course(), targetMicros);
            }
            recorder.record(LONGEST, result.percentile(HUNDRED) / targetMicros);
            if (staged) {
                // Threads that are idle stay for longer than this takes.
                try (StagesPage page = new StagesPage(process.port())) {
                    recorder.record(THREADS, page.look().stage(BOTTLENECK).threads());
                }
            }
            long answers = result.served() + result.refused();
            recorder.record(REFUSED, answers == 0 ? 0 : HUNDRED * result.refused() / answers);
            recorder.record(UNANSWERED, result.unanswered());
            recorder.record("Jain's index of fairness", result.fairness());
            recorder.record("share of time that the load generator was busy", result.generatorBusy());
        }
    }

    /** A point for each window of one target, at its end. */
    private void recordCourse(Recorder recorder, List<Double> course, double targetMicros) {
        for (int i = 0; i < course.size(); i++) {
            if (course.get(i) > 0) {
                String at = String.format(Locale.ROOT, "%.2f s", target.toNanos() * (i + 1) / NANOS_PER_SECOND);
                recorder.recordAt(at, COURSE, course.get(i) / targetMicros);
            }
        }
    }
}

package dev.sluice.benchmarks.seda.classes;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.ClientsResult;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/**
 * One server, clients whose requests are of the first class, and clients whose requests are of the second one.
 *
 * @param server    by its name, and how to start it
 * @param second    the number of clients of the second class
 * @param target    for the response time
 * @param times     the lengths of the phases
 * @param generator has the clients
 * @param host      the host to run on
 */
record ClassesTrial(MeasuredPeer server, int second, Duration target, Clients.Times times, LoadGenerator generator,
        Host host) implements Trial {

    static final String FIRST_RATE = "pages per second of the first class";
    static final String SECOND_RATE = "pages per second of the second class";
    static final String FIRST_HIGH = "90th percentile of the response time of the first class";
    static final String FIRST_REFUSED = "share of answers that refuse a request of the first class";
    static final String SECOND_REFUSED = "share of answers that refuse a request of the second class";

    /** Of the requests of the second class, as {@code --shed-first} has it. */
    static final String QUERY = "second";
    static final int FIRST_CLIENTS = 64;
    static final String PATH = "/bottleneck";
    /** Of the page, in bytes. */
    static final int SIZE = 8 * 1024;

    private static final double MICROS_PER_NANO = 1e-3;
    private static final double HUNDRED = 100;
    private static final double HIGH = 90;
    private static final Duration START = Duration.ofSeconds(1);

    static String scenario(int second) {
        return second + " clients";
    }

    @Override
    public String scenario() {
        return scenario(second);
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
            Clients others = clients(process, second, PATH + "?" + QUERY);
            ClientsResult first = generator.measure(clients(process, FIRST_CLIENTS, PATH).beside(others));
            ClientsResult of = first.beside();
            if (first.served() + first.refused() + of.served() + of.refused() == 0) {
                throw new IOException("nothing has been answered");
            }
            recorder.record(FIRST_RATE, first.served() / first.seconds());
            recorder.record(SECOND_RATE, of.served() / of.seconds());
            if (first.mean() > 0) {
                recorder.record(FIRST_HIGH, first.percentile(HIGH) / (target.toNanos() * MICROS_PER_NANO));
            }
            recorder.record(FIRST_REFUSED, refused(first));
            recorder.record(SECOND_REFUSED, refused(of));
            recorder.record("share of time that the load generator was busy", first.generatorBusy());
        }
    }

    private Clients clients(ServerProcess process, int count, String path) {
        return Clients.ofPage(process.port(), count, path, SIZE, false, times, Duration.ZERO, process.pid());
    }

    private static double refused(ClientsResult result) {
        long answers = result.served() + result.refused();
        return answers == 0 ? 0 : HUNDRED * result.refused() / answers;
    }
}

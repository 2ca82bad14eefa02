package dev.sluice.benchmarks.seda.pool;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.ClientsResult;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.peers.StagesPage;
import dev.sluice.benchmarks.peers.StagesWatch;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.samples.Main;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** Puts the bursts of all periods on a Haboob, and watches its stages. */
final class BurstsTrial implements Trial {

    static final String PAGES = "files per second within bursts";

    private static final Duration START = Duration.ofSeconds(1);
    private static final String CONNECTIONS = "2048";
    /** In KiB: with less, there is not always room for what all clients ask for at once, and some are refused. */
    private static final int MIN_PAGE_CACHE = 64 * 1024;
    /** Of the page cache, in KiB: the paper has 200 MiB for the 680 directories of 1000 connections. */
    private static final int FOR_EACH_DIRECTORY = 204_800 / 680;

    private final Host host;
    private final LoadGenerator generator;
    private final Path root;
    private final int directories;
    private final Course course;
    private final List<Period> periods = new ArrayList<>();

    /**
     * How the load goes.
     *
     * @param clients of each period
     * @param bursts  of a period
     * @param times   of a burst
     * @param gap     after each burst
     * @param between two looks at the stages, in a period
     * @param rests   of the pause after a period, each of which ends with a look
     * @param rest    how long each of them is; a look is a request, too, and frequent ones would keep threads from
     *                leaving
     */
    record Course(List<Integer> clients, int bursts, Clients.Times times, Duration gap, Duration between, int rests,
            Duration rest) {

        Duration planned() {
            return times.measured().plus(gap).multipliedBy(bursts).plus(rest.multipliedBy(rests))
                    .multipliedBy(clients.size());
        }
    }

    /**
     * How the stages were in a period.
     *
     * @param clients how many there were
     * @param looks   from its beginning on; the last one at the end of the pause after it
     */
    record Period(int clients, List<StagesPage.Look> looks) {

        String scenario() {
            return clients + " clients";
        }
    }

    /**
     * Creates a trial.
     *
     * @param host        the host to run on
     * @param generator   has the clients
     * @param root        the directory of the files
     * @param directories of the files
     * @param course      of the load
     */
    BurstsTrial(Host host, LoadGenerator generator, Path root, int directories, Course course) {
        this.host = host;
        this.generator = generator;
        this.root = root;
        this.directories = directories;
        this.course = course;
    }

    @Override
    public String scenario() {
        return "bursts";
    }

    @Override
    public String contestant() {
        return PoolSuite.HABOOB;
    }

    @Override
    public Duration planned() {
        return START.plus(course.planned());
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        periods.clear();
        int pageCache = Math.max(MIN_PAGE_CACHE, directories * FOR_EACH_DIRECTORY);
        try (ServerProcess server = ServerProcess.java(host, "pool", List.of(), Main.class, "haboob", "--port", "0",
                "--root", root.toString(), "--stages", "paper", "--connections", CONNECTIONS, "--page-cache",
                Integer.toString(pageCache)).await();
                StagesWatch watch = new StagesWatch(server.port())) {
            for (int clients : course.clients()) {
                double pages = bursts(server, watch, clients);
                for (int rest = 0; rest < course.rests(); rest++) {
                    Thread.sleep(course.rest());
                    watch.look();
                }
                Period period = new Period(clients, watch.take());
                periods.add(period);
                recorder.recordAt(period.scenario(), PAGES, pages);
            }
        }
    }

    /** {@return pages per second} */
    private double bursts(ServerProcess server, StagesWatch watch, int clients)
            throws IOException, InterruptedException {
        double pages = 0;
        double seconds = 0;
        Future<?> looking = watch.lookEvery(course.between());
        try {
            for (int burst = 0; burst < course.bursts(); burst++) {
                ClientsResult result = burst(server, clients);
                pages += result.served();
                seconds += result.seconds();
                Thread.sleep(course.gap());
            }
        } finally {
            looking.cancel(false);
        }
        return pages / seconds;
    }

    private ClientsResult burst(ServerProcess server, int clients) throws IOException {
        ClientsResult result = generator.measure(Clients.ofFiles(server.port(), clients, directories, course.times(),
                server.pid()));
        // In a short time on a busy machine it may have come too late to count for the throughput.
        if (result.mean() == 0) {
            throw new IOException("nothing has come at all");
        }
        if (result.refused() > 0 || result.unanswered() > 0) {
            throw new IOException(result.refused() + " requests were refused, and " + result.unanswered()
                    + " had no answer");
        }
        return result;
    }

    /**
     * {@return how the stages were when this was measured last}
     *
     * @throws IOException if that has failed
     */
    List<Period> periods() throws IOException {
        if (periods.size() < course.clients().size()) {
            throw new IOException("the stages were not seen to the end");
        }
        return periods;
    }
}

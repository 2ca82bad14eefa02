package dev.sluice.benchmarks.jaws;

import dev.sluice.benchmarks.jaws.StrategyTrial.Times;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.Site;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.RunningServers;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The experiment of the paper on JAWS. */
public final class JawsSuite implements Suite {

    private static final int ROUNDS = 4;
    /** Factor for the time of the mix, as the number of its large files in a short time varies at random. */
    private static final int TIMES_FOR_THE_MIX = 2;

    /** Creates a suite. */
    public JawsSuite() {
    }

    @Override
    public String name() {
        return "jaws";
    }

    @Override
    public String summary() {
        return "the web server sample under each concurrency strategy, as the JAWS paper measured it: files of 500 B"
                + " to 5 MB, 1 to 200 clients";
    }

    @Override
    public String method() {
        return """
                The experiment of *Applying the Proactor Pattern to High-Performance Web Servers* (Hu, Pyarali,
                Schmidt), with more strategies: all that `./sluice web --concurrency` has. The paper compares a thread
                for each request, a thread pool, and asynchronous I/O with TransmitFile: here *thread-per-request*,
                *thread-pool* and *proactor-per-thread*. Its clients make a connection for each request, so that
                *thread-per-connection* is a thread for each request, too: one that is there when the request comes.

                Each strategy is a process on processor 0, with one thread where each has an event loop, 16 in a pool,
                files up to 16 KiB sent with their head, larger ones transmitted inside the kernel. An *adaptive* one
                begins with one thread, looks ten times a second at its load and the hit rate of its cache, and changes
                the size of its pool, if it has one, its cache, and the way that files of each class of sizes travel,
                which it finds out by trying; it has each load for 3 s before it is measured, and for 6 s if all files
                have 500 KB or more. *Any strategy, adaptive* also changes its concurrency strategy while it runs
                (`--changeable`): it begins with *reactor-per-thread*, tries *leader-followers*, *half-sync-half-async*
                and *proactor-per-thread*, and has each load for 10 s. Then the load begins again, as for all others: it
                is there for 0.2 s, and is then measured for 0.5 s in each round; only the very first one of each server
                is there for 15 s, in which the JVM compiles. (With `--quick` an adaptive one has 1.5 s, or 10 s, the
                load is there for 0.1 s, at first for 1 s, and is measured for 0.2 s.) So with many clients and large
                files the latencies are those of clients that have begun together. An adaptive one is to have 0.95 of
                what the same strategy has with the best way that is fixed: those rows are named after the way, *mmap*
                or *read*, and that with transmission after the strategy alone; *any strategy, adaptive* is to have 0.95
                of the best of all rows that are fixed.
                The load generator is a process with one thread on processor 1, and stands on Sluice. Each of its
                clients connects, asks for a file, gets it, waits until the server closes, and begins again. It compares
                every byte of every file; a wrong, missing or surplus one makes the measurement void. All strategies are
                measured one after the other for a file and a number of clients, before the next number's turn comes.

                Of 1000 requests of the mix, 350 are for 500 B, 500 for 5 KB, 140 for 50 KB, 9 for 500 KB and 1 for
                5 MB (5 KB is 5000 bytes), in an order that was shuffled once: as frequent as in the standard list of
                WebStone, which the paper used. The mix is measured for twice as long.

                The throughput is what all clients together receive, heads included; the paper's is that of one client.
                The latency is the time from the beginning of the connection to the last byte of the file. It is long
                where many clients share one processor: it is then the number of clients divided by the requests per
                second. Where the load generator is busy all the time, servers are further apart than their throughputs;
                the samples tell how busy it was, and the CPU time for each request.""";
    }

    @Override
    public List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (FileMix mix : FileMix.ALL) {
            Chart chart = sections.isEmpty() ? Chart.LINES : Chart.NONE;
            sections.add(new Section(mix.throughput(), mix.unit(), Better.HIGHER, Strategies.BASELINE, chart)
                    .with(Strategies.targets()).drawing(Strategies.drawn()));
            sections.add(new Section(mix.medianLatency(), "µs", Better.LOWER, Strategies.BASELINE, Chart.NONE));
            sections.add(new Section(mix.highLatency(), "µs", Better.LOWER, Strategies.BASELINE, Chart.NONE));
        }
        return sections;
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(20), Duration.ofSeconds(60), Duration.ofMinutes(71));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        Site site = Site.write(host.directory().resolve("jaws-root"), FileMix.distinctSizes());
        Strategies found = Strategies.find(scale, site.directory());
        LoadGenerator generator = LoadGenerator.start(host);
        RunningServers servers;
        try {
            servers = RunningServers.start(host, found.contestants());
        } catch (Throwable e) {
            generator.close();
            throw e;
        }
        return new Preparation(trials(scale, found, servers, generator), scale.choose(1, 1, ROUNDS), found.absences(),
                () -> {
                    generator.close();
                    servers.close();
                });
    }

    private static List<Trial> trials(Scale scale, Strategies found, RunningServers servers,
            LoadGenerator generator) {
        Times times = scale.choose(
                // Long enough for a reply on a machine that is busy with other work.
                new Times(Duration.ofMillis(20), Duration.ofMillis(20), Duration.ofMillis(500), Duration.ofMillis(50)),
                new Times(Duration.ofMillis(1_000), Duration.ofMillis(100), Duration.ofMillis(200),
                        Duration.ofMillis(50)),
                new Times(Duration.ofSeconds(15), Duration.ofMillis(200), Duration.ofMillis(500),
                        Duration.ofMillis(100)));
        List<Trial> trials = new ArrayList<>();
        for (FileMix mix : scale == Scale.QUICK ? FileMix.SOME : FileMix.ALL) {
            for (int clients : scale.choose(List.of(2), List.of(50), List.of(1, 10, 50, 100, 200))) {
                Times warm = trials.size() < found.contestants().size() ? times : times.ofWarmServer();
                Times here = mix.requests() && scale == Scale.FULL ? warm.measuring(TIMES_FOR_THE_MIX) : warm;
                for (MeasuredPeer contestant : found.contestants()) {
                    trials.add(new StrategyTrial(mix, clients, contestant.name(), servers.of(contestant.name()),
                            generator, found.times(contestant, mix, here)));
                }
            }
        }
        return trials;
    }
}

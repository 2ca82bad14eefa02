package dev.sluice.benchmarks.seda.web;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.FileSet;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.Apache;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.RunningServers;
import dev.sluice.benchmarks.peers.WebServers;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Sized;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Web servers under the static load of SPECweb99. */
public final class SpecWebSuite implements Sized {

    private static final int MANY = 1_024;
    private static final int ROUNDS = 3;
    /** As in the paper. */
    private static final int LOAD = 1_000;
    private static final int LITTLE_LOAD = 30;
    /** Beyond it, more files would have to be told apart than there are places to begin in what they are made of. */
    private static final int MAX_LOAD = 2_500;
    private static final double MIB = 1024 * 1024;
    private static final int UNSIZED = 0;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final int load;

    /** Creates a suite. */
    public SpecWebSuite() {
        this(UNSIZED);
    }

    private SpecWebSuite(int load) {
        this.load = load;
    }

    @Override
    public int maxLoad() {
        return MAX_LOAD;
    }

    @Override
    public Suite of(int number) {
        return new SpecWebSuite(number);
    }

    @Override
    public String name() {
        return "seda-web";
    }

    @Override
    public String summary() {
        return "1 to 1024 clients that ask for the static files of SPECweb99, and how each of them fares";
    }

    @Override
    public String method() {
        return """
                Figure 12 of the paper. The files are those of SPECweb99 for %,d connections, %,d MiB in %d directories,
                or with `--quick` for %d, %,d MiB in %d; `--load` says otherwise. They have 102 to 921 600 bytes, and
                are asked for as often as it says: directories by Zipf's law, the four classes with 35, 50, 14 and 1 %%,
                and within a class again by Zipf's law. Each client asks for a file, compares every byte of it,
                waits for 20 ms, and asks for the next one, on a connection for every 5 files. The response time begins
                before the client connects, if it has to. Jain's index is 1 if all clients got as many files, and the
                share of those who got any, if these got as many.

                Throughput and fairness are those of the time that was measured. What had been asked for by then is
                waited for, and its response time counts, too; what does not come for %d s counts as if it came
                then, and among the requests without an answer. With one client there are some 240 requests, and with
                four less than a thousand, so that their 99.9th percentile is the longest.

                The servers are processes on processor 0, the clients a process with one thread on processor 1, which
                stands on Sluice; the samples tell how busy that was. *Sluice Haboob* is the paper's server by stages:
                *coarse*, its default, has threads of their own only for those that may block. *Sluice web* is the web
                server sample with a Proactor, a Reactor, or a pool of %d threads, each of which serves a connection to
                its end, while %d more may wait to be accepted; that is how Apache works, too, with processes (prefork).
                All others come when TCP tries again, after 1, 3, 7 s and so on. nginx has tcp_nopush, as its
                documentation recommends, and is measured without it too, as in the suite `web`."""
                .formatted(LOAD, mebibytes(LOAD), FileSet.directories(LOAD), LITTLE_LOAD, mebibytes(LITTLE_LOAD),
                        FileSet.directories(LITTLE_LOAD), TIMEOUT.toSeconds(), Apache.PROCESSES, Apache.BACKLOG);
    }

    private static long mebibytes(int connections) {
        return Math.round(new FileSet(FileSet.directories(connections)).bytes() / MIB);
    }

    @Override
    public List<Section> sections() {
        String many = ClientsTrial.scenario(MANY);
        return List.of(
                new Section(ClientsTrial.RATE, "Mbit/s", Better.HIGHER, Servers.PROACTIVE, Chart.NONE).with(
                        Target.times(Servers.COARSE, 0.95, Servers.PROACTIVE).in(many),
                        Target.times(Servers.COARSE, 1, WebServers.BASELINE).in(many)),
                new Section(ClientsTrial.FAIRNESS, "1 is fair", Better.HIGHER, null, Chart.NONE)
                        .with(Target.of(Servers.COARSE, 0.99).in(many)),
                new Section(ClientsTrial.MEDIAN, "ms", Better.LOWER, Servers.PROACTIVE, Chart.NONE)
                        .with(Target.times(Servers.COARSE, 1.15, Servers.PROACTIVE).in(ClientsTrial.scenario(1))),
                new Section(ClientsTrial.MEAN, "ms", Better.LOWER, Servers.PROACTIVE, Chart.NONE),
                new Section(ClientsTrial.HIGH, "ms", Better.LOWER, Servers.THREADS, Chart.NONE)
                        .with(Target.times(Servers.COARSE, 1.0 / 3, Servers.THREADS).in(many)),
                new Section(ClientsTrial.LONGEST, "ms", Better.LOWER, Servers.THREADS, Chart.NONE)
                        .with(Target.times(Servers.COARSE, 0.2, Servers.THREADS).in(many)),
                new Section(ClientsTrial.UNANSWERED, "requests", Better.LOWER, null, Chart.NONE),
                new Section(ClientsTrial.DISTRIBUTION, "ms", Better.LOWER, null, Chart.LINES)
                        .over("requests of which one takes longer").drawing(Servers.COARSE, Servers.ALL,
                                Servers.PROACTIVE, Servers.REACTIVE, Servers.THREADS, WebServers.BASELINE));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(3), Duration.ofSeconds(55), Duration.ofMinutes(20));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        int directories = load != UNSIZED ? FileSet.directories(load)
                : scale.choose(1, FileSet.directories(LITTLE_LOAD), FileSet.directories(LOAD));
        Path root = host.directory().resolve("seda-web-files").toAbsolutePath();
        Servers found = new Servers(scale, host, root);
        Deque<Closeable> resources = new ArrayDeque<>();
        try {
            resources.push(() -> FileSet.remove(root));
            new FileSet(directories).write(root);
            LoadGenerator generator = LoadGenerator.start(host);
            resources.push(generator);
            RunningServers servers = RunningServers.start(host, found.contestants());
            resources.push(servers);
            return new Preparation(trials(scale, directories, found, servers, generator),
                    scale.choose(1, 1, ROUNDS), found.absences(), () -> close(resources));
        } catch (Throwable e) {
            close(resources);
            throw e;
        }
    }

    private static void close(Deque<Closeable> resources) throws IOException {
        while (!resources.isEmpty()) {
            resources.pop().close();
        }
    }

    private static List<Trial> trials(Scale scale, int directories, Servers found, RunningServers servers,
            LoadGenerator generator) {
        List<Integer> counts = scale.choose(List.of(8), List.of(1, MANY), List.of(1, 4, 16, 64, 256, MANY));
        Duration first = scale.choose(Duration.ofMillis(20), Duration.ofSeconds(1), Duration.ofSeconds(4));
        Clients.Times times = scale.choose(
                // Long enough for something to come on a machine that is busy with other things.
                new Clients.Times(Duration.ofMillis(20), Duration.ofMillis(500), TIMEOUT),
                new Clients.Times(Duration.ofSeconds(1), Duration.ofMillis(1_200), Duration.ofSeconds(4)),
                new Clients.Times(Duration.ofSeconds(2), Duration.ofSeconds(5), TIMEOUT));
        List<Trial> trials = new ArrayList<>();
        for (int clients : counts) {
            for (MeasuredPeer contestant : found.contestants()) {
                String name = contestant.name();
                trials.add(new ClientsTrial(clients, directories, name, servers.of(name), generator, times,
                        trials.size() < found.contestants().size() ? first : times.warmUp(),
                        clients == counts.get(counts.size() - 1)));
            }
        }
        return trials;
    }
}

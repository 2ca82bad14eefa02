package dev.sluice.benchmarks.seda.sizes;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.FileSet;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.RunningServers;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.samples.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Haboob with long replies in order of their size, and in none. */
public final class SizesSuite implements Suite {

    private static final String BY_SIZE = "Sluice Haboob, by size";
    private static final String NO_ORDER = "Sluice Haboob, no order";
    private static final String STAGES_BY_SIZE = "Sluice Haboob, all stages, by size";
    private static final String STAGES_NO_ORDER = "Sluice Haboob, all stages, no order";
    private static final int FEW = 16;
    private static final int MANY = 256;
    private static final int CONNECTIONS = 2_048;
    private static final int ROUNDS = 5;
    /** Limit of what small pages take with an order, of what they take without. */
    private static final double BETTER = 0.7;
    private static final double HARDLY_LESS = 0.95;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** Creates a suite. */
    public SizesSuite() {
    }

    @Override
    public String name() {
        return "seda-sizes";
    }

    @Override
    public String summary() {
        return "small pages while others ask for pages of 1 MiB, from Haboob with and without scheduling by size";
    }

    @Override
    public String method() {
        return """
                Section 5.1 of the paper: its web server sends short pages before long ones. There it sorts them within
                a batch. Here batches are short, so Haboob orders the sends of long replies as well
                (`--reply-order size`, the default): of those of which more than 64 KiB are left, the ones with least
                left go on first, a few in each iteration of the loop, and one that has waited counts as shorter. With
                `--reply-order none` each reply goes on as soon as its client has taken something.

                %d clients ask for a page of 1 KiB, and beside them %s for one of 1 MiB, each with 20 ms of thinking
                and 5 requests on a connection. Both pages are in the page cache. Response times are from before the
                client connects, if it has to. Scenarios count the clients of the large page.

                The servers are processes on processor 0, all clients one process with one thread on processor 1. What
                a client waits in that process counts too, as the clients of one machine share it: the samples tell how
                busy it was.""".formatted(SizesTrial.SMALL_CLIENTS, "16, 64 or 256");
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(SizesTrial.SMALL_HIGH, "ms", Better.LOWER, NO_ORDER, Chart.LINES)
                        .with(Target.times(BY_SIZE, BETTER, NO_ORDER),
                                Target.times(STAGES_BY_SIZE, BETTER, STAGES_NO_ORDER))
                        .over("clients that ask for 1 MiB"),
                new Section(SizesTrial.SMALL_MEDIAN, "ms", Better.LOWER, NO_ORDER, Chart.NONE),
                new Section(SizesTrial.SMALL_RATE, "1/s", Better.HIGHER, NO_ORDER, Chart.NONE),
                new Section(SizesTrial.LARGE_RATE, "1/s", Better.HIGHER, NO_ORDER, Chart.NONE)
                        .with(Target.times(BY_SIZE, HARDLY_LESS, NO_ORDER),
                                Target.times(STAGES_BY_SIZE, HARDLY_LESS, STAGES_NO_ORDER)),
                new Section(SizesTrial.LARGE_MEAN, "ms", Better.LOWER, NO_ORDER, Chart.NONE),
                new Section(SizesTrial.LARGE_LONGEST, "ms", Better.LOWER, NO_ORDER, Chart.NONE),
                new Section(SizesTrial.FAIRNESS, "1 is fair", Better.HIGHER, null, Chart.NONE));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(3), Duration.ofSeconds(48), Duration.ofMinutes(9));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        Path root = Files.createDirectories(host.directory().resolve("seda-sizes-files")).toAbsolutePath();
        try {
            Files.write(root.resolve(SizesTrial.SMALL_PAGE.substring(1)), new byte[SizesTrial.SMALL_SIZE]);
            Files.write(root.resolve(SizesTrial.LARGE_PAGE.substring(1)), new byte[SizesTrial.LARGE_SIZE]);
            LoadGenerator generator = LoadGenerator.start(host);
            try {
                RunningServers servers = RunningServers.start(host, contestants(scale, root));
                return new Preparation(trials(scale, servers, generator), scale.choose(1, 1, ROUNDS), List.of(),
                        () -> close(servers, generator, root));
            } catch (Throwable e) {
                generator.close();
                throw e;
            }
        } catch (Throwable e) {
            FileSet.remove(root);
            throw e;
        }
    }

    private static void close(RunningServers servers, LoadGenerator generator, Path root) throws IOException {
        try (generator) {
            servers.close();
        } finally {
            FileSet.remove(root);
        }
    }

    private static List<MeasuredPeer> contestants(Scale scale, Path root) {
        List<MeasuredPeer> all = new ArrayList<>(List.of(
                haboob(NO_ORDER, root, "coarse", "none"),
                haboob(BY_SIZE, root, "coarse", "size")));
        if (scale != Scale.SMALLEST) {
            all.add(haboob(STAGES_NO_ORDER, root, "paper", "none"));
            all.add(haboob(STAGES_BY_SIZE, root, "paper", "size"));
        }
        return all;
    }

    private static MeasuredPeer haboob(String contestant, Path root, String stages, String order) {
        return new MeasuredPeer(contestant, (host, name) -> ServerProcess.java(host, "seda-sizes " + name, List.of(),
                Main.class, "haboob", "--port", "0", "--root", root.toString(), "--stages", stages, "--reply-order",
                order, "--connections", Integer.toString(CONNECTIONS)));
    }

    private static List<Trial> trials(Scale scale, RunningServers servers, LoadGenerator generator) {
        Clients.Times times = scale.choose(
                // Long enough for something to come on a machine that is busy with other things.
                new Clients.Times(Duration.ofMillis(20), Duration.ofMillis(300), TIMEOUT),
                new Clients.Times(Duration.ofSeconds(1), Duration.ofSeconds(2), TIMEOUT),
                new Clients.Times(Duration.ofSeconds(3), Duration.ofSeconds(5), TIMEOUT));
        List<Trial> trials = new ArrayList<>();
        for (int large : scale.choose(List.of(FEW), List.of(FEW, MANY), List.of(FEW, 64, MANY))) {
            for (String name : servers.names()) {
                trials.add(new SizesTrial(large, name, servers.of(name), generator, times));
            }
        }
        return trials;
    }
}

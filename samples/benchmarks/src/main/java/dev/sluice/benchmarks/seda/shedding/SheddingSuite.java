package dev.sluice.benchmarks.seda.shedding;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.Apache;
import dev.sluice.benchmarks.peers.MeasuredPeer;
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
import java.util.function.Function;
import java.util.stream.Stream;

/** Haboob's bottleneck under each way to shed load, and without any. */
public final class SheddingSuite implements Suite {

    static final String PROCESSORS = "processors of the server";

    private static final List<String> STRATEGIES = List.of("mean", "percentile", "backlog", "delay");
    private static final String NONE = haboob("none");
    private static final String THREADS = Apache.PROCESSES + " threads";
    private static final int MANY = 1_024;
    private static final int CONNECTIONS = 2_048;
    private static final String TARGETS = "times the target";

    /** Creates a suite. */
    public SheddingSuite() {
    }

    private static String haboob(String strategy) {
        return "Sluice Haboob, " + strategy;
    }

    @Override
    public String name() {
        return "seda-shedding";
    }

    @Override
    public String summary() {
        return "1024 clients that request a page of 40 ms, from Haboob with each load shedding policy, and from 150 "
                + "threads";
    }

    @Override
    public String method() {
        return """
                Figure 13 of the paper. Each client asks for nothing but `%s`, which opens a file, reads it and sums it
                up until that has cost 40 ms of processor time (with `--quick` 2 ms); the reply has 8 KiB. The target
                for the response time is 5 s (with `--quick` 0.25 s). Refused clients come again after 20 ms, as the
                paper has it, or, at length, also after as many seconds as `Retry-After` tells. Response times are those
                of what is served, from before the client connects, if it has to, and in multiples of the target; in the
                paper 90 %% took up to 2.4 of it, and the longest 4.4. Clients wait for up to two minutes after the
                measured time (with `--quick` 6 s). A request that has no answer by then counts with the time until
                then, so that the figures of who leaves any unanswered, such as *%s*, are at least that.

                The tables are of one minute that begins after 90 s (with `--quick` 3 s after 4 s), when all have had
                time to adapt. How long that takes shows the course: the 90th percentile in each window of one target,
                from the first request on, of clients that come again after 20 ms.

                The paper's way is *mean*: the threshold of the queue follows the mean response time. With *percentile*
                the rate of a token bucket follows the 90th percentile; with *backlog* the threshold is what the stage
                can serve within the target; with *delay*, who has waited for too long in a
                queue that does not empty is refused; with *none* no request is. *%s* is a blocking server with as many
                threads, where %d more may wait to be accepted, and the others until TCP tries again.

                As the page costs processor time alone, more threads for the stage of the bottleneck than there are
                processors do not serve more. The thread pool controller adds one when it finds a long queue, and
                removes those that are idle for 5 s, of which there are none. How many it has come to is looked at when
                the last answer has come; it should be no more than one above the number of processors. The servers are
                processes on processor 0, started for each measurement, the clients a process on processor 1."""
                .formatted(SheddingTrial.PATH, THREADS, THREADS, Apache.BACKLOG);
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(SheddingTrial.SERVED, "1/s", Better.HIGHER, NONE, Chart.NONE).with(Stream.concat(
                        targets(each -> Target.times(each, 0.6, NONE).in(SheddingTrial.AFTER_THINKING)),
                        targets(each -> Target.times(each, 0.9, NONE).in(SheddingTrial.AS_TOLD)))
                        .toArray(Target[]::new)),
                new Section(SheddingTrial.HIGH, TARGETS, Better.LOWER, null, Chart.NONE)
                        .with(targets(each -> Target.of(each, 1.5)).toArray(Target[]::new)),
                new Section(SheddingTrial.COURSE, TARGETS, Better.LOWER, null, Chart.COURSE),
                new Section(SheddingTrial.LONGEST, TARGETS, Better.LOWER, null, Chart.NONE)
                        .with(targets(each -> Target.of(each, 3)).toArray(Target[]::new)),
                new Section(SheddingTrial.REFUSED, "%", Better.LOWER, null, Chart.NONE),
                new Section(SheddingTrial.UNANSWERED, "requests", Better.LOWER, null, Chart.NONE)
                        .with(targets(each -> Target.of(each, 0)).toArray(Target[]::new)),
                new Section(SheddingTrial.THREADS, "threads", Better.LOWER, null, Chart.NONE)
                        .with(targets(each -> Target.near(each, 1, PROCESSORS)).toArray(Target[]::new)));
    }

    private static Stream<Target> targets(Function<String, Target> target) {
        return STRATEGIES.stream().map(SheddingSuite::haboob).map(target);
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(3), Duration.ofSeconds(50), Duration.ofMinutes(30));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        int costMillis = scale.choose(1, 2, 40);
        Duration target = Duration.ofMillis(scale.choose(100, 250, 5_000));
        Clients.Times times = new Clients.Times(
                scale.choose(Duration.ofMillis(50), Duration.ofSeconds(4), Duration.ofSeconds(90)),
                scale.choose(Duration.ofMillis(300), Duration.ofSeconds(3), Duration.ofMinutes(1)),
                scale.choose(Duration.ofSeconds(30), Duration.ofSeconds(6), Duration.ofMinutes(2)));
        List<MeasuredPeer> contestants = contestants(scale, host, costMillis, target);
        LoadGenerator generator = LoadGenerator.start(host);
        List<Trial> trials = new ArrayList<>();
        for (boolean obedient : scale == Scale.FULL ? new boolean[] {false, true} : new boolean[] {false}) {
            for (MeasuredPeer contestant : contestants) {
                boolean staged = !contestant.name().equals(THREADS);
                trials.add(new SheddingTrial(contestant, staged, scale.choose(8, MANY, MANY), obedient, target,
                        generator, host, times));
            }
            trials.add(new ProcessorsTrial(SheddingTrial.scenario(obedient), host.processorsOfPinned()));
        }
        return new Preparation(trials, 1, List.of(), generator);
    }

    private static List<MeasuredPeer> contestants(Scale scale, Host host, int costMillis, Duration target)
            throws IOException {
        List<MeasuredPeer> all = new ArrayList<>();
        for (String strategy : scale == Scale.SMALLEST ? List.of("none", "mean")
                : List.of("none", "mean", "percentile", "backlog", "delay")) {
            String[] arguments = {"haboob", "--port", "0", "--connections", Integer.toString(CONNECTIONS),
                "--shedding", strategy, "--cost", Integer.toString(costMillis), "--target",
                Long.toString(target.toMillis())};
            all.add(new MeasuredPeer(haboob(strategy), (where, name) -> ServerProcess.java(where, "shedding " + name,
                    List.of(), Main.class, arguments)));
        }
        if (scale != Scale.SMALLEST) {
            Path file = Files.write(host.directory().resolve("seda-shedding.bin"), new byte[SheddingTrial.SIZE]);
            all.add(new MeasuredPeer(THREADS, (where, name) -> ServerProcess.java(where, "shedding " + name, List.of(),
                    ThreadsServer.class, Integer.toString(Apache.PROCESSES), Integer.toString(Apache.BACKLOG),
                    Integer.toString(costMillis), file.toString())));
        }
        return all;
    }
}

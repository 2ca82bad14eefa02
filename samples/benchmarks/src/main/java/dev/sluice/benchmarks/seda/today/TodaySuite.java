package dev.sluice.benchmarks.seda.today;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.LoadGenerator;
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
import dev.sluice.samples.haboob.Bottleneck;
import dev.sluice.stages.ThreadPoolController;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Stages beside virtual threads under an open loop of more visitors than a server can serve. */
public final class TodaySuite implements Suite {

    private static final String STAGES = "Sluice Haboob";
    private static final String VIRTUAL_STAGES = "Sluice Haboob, virtual threads";
    private static final String PLAIN = "virtual threads";
    private static final String SEMAPHORE = PLAIN + ", semaphore";
    private static final String QUEUE = PLAIN + ", bounded queue";
    private static final String STAGE_IN_FRONT = PLAIN + ", a stage in front";
    private static final List<String> ALL = List.of(STAGES, VIRTUAL_STAGES, PLAIN, SEMAPHORE, QUEUE, STAGE_IN_FRONT);

    private static final List<Integer> RATIOS = List.of(0, 10, 100);
    private static final Duration COST = Duration.ofMillis(2);
    private static final int CONNECTIONS = 16_384;
    private static final double ENOUGH = 0.9;
    private static final double NANOS_PER_SECOND = 1e9;
    /** Beyond the threads that Little's law asks for, as a page also has to be sent. */
    private static final int FURTHER_THREADS = 2;
    /** Enough for the controller, which adds a thread in each of its periods, to get to its maximum. */
    private static final Duration GROWTH = ThreadPoolController.PERIOD.multipliedBy(ThreadPoolController.DEFAULT_MAX);
    private static final List<String> HEAP = List.of("-Xmx512m");

    /** Creates a suite. */
    public TodaySuite() {
    }

    @Override
    public String name() {
        return "seda-today";
    }

    @Override
    public String summary() {
        return "whether a staged server is still worth it where there are virtual threads: up to four times the load";
    }

    @Override
    public String method() {
        return """
                Visitors come in an open loop, as independent ones do (Poisson), whether or not others have been
                answered. Each connects, asks for `/bottleneck`, and leaves when it has its page, when it is refused,
                or after 2 s (with `--quick` 0.5 s); it does not come again. A page computes for %d ms, by reading a
                file and summing it up as often as takes that long on the idle processor, after it has waited for 0, 10
                or 100 times as long, as for another server. The load is how many times as many visitors come as the
                processor could compute pages for if requests cost nothing. All contestants make pages by the same code.

                *%s* is the sample: up to %d threads for the page, as the thread pool controller finds necessary. It
                adds one every %d s, so if pages wait the load is there for %d s before this one is measured, and else
                for 8 s. *%s* has virtual threads for the page instead. Both shed load by the backlog, for a target of
                0.5 s (0.2 s), and make no page for a visitor who has left, which a thread that blocks does not see.
                The others have a virtual thread for each connection, which blocks. *%s* lets all in. The others
                make at most as many pages at a time as Little's law asks for, and %d more, as does *%s*: with
                *semaphore* further ones wait, however many; with *bounded queue* %d wait and others are refused; with
                *a stage in front* a stage of the library makes the pages, with the same controller as in the sample.
                Each server has at most %,d connections at a time, and further ones wait to be accepted.

                A server has collapsed if it serves less than %.1f of its own best with more load: that is the target.
                Response times are those of what is served, from when the visitor was due. The index of fairness is
                that of the pages that 64 users get, to whom the visitors belong in turn. Memory is the largest
                resident set, with a heap of 512 MB at most. The servers are processes on processor 0, started for each
                measurement; the visitors are a process on processor 1, with one thread."""
                .formatted(COST.toMillis(), STAGES, ThreadPoolController.DEFAULT_MAX,
                        ThreadPoolController.PERIOD.toSeconds(), GROWTH.toSeconds(), VIRTUAL_STAGES, PLAIN,
                        FURTHER_THREADS, VIRTUAL_STAGES, GateKind.QUEUE_LENGTH, CONNECTIONS, ENOUGH);
    }

    @Override
    public List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (int ratio : RATIOS) {
            sections.add(new Section(TodayTrial.served(ratio), "1/s", Better.HIGHER, PLAIN, Chart.LINES)
                    .with(ALL.stream().map(each -> Target.ofOwnBest(each, ENOUGH)).toArray(Target[]::new))
                    .over("times the load that the processor can compute"));
        }
        Stream.concat(TodayTrial.SHARES.stream().map(TodayTrial::percentile)
                .map(figure -> new Section(figure, "ms", Better.LOWER, PLAIN, Chart.NONE)), Stream.of(
                new Section(TodayTrial.FAIRNESS, "1 is fair", Better.HIGHER, null, Chart.NONE),
                new Section(TodayTrial.REFUSED, "%", Better.LOWER, null, Chart.NONE),
                new Section(TodayTrial.LOST, "%", Better.LOWER, null, Chart.NONE),
                new Section(TodayTrial.MEMORY, "MB", Better.LOWER, PLAIN, Chart.NONE))).forEach(sections::add);
        return sections;
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(4), Duration.ofSeconds(50), Duration.ofMinutes(32));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        Duration target = scale.choose(Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofMillis(500));
        Clients.Times times = scale.choose(
                new Clients.Times(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(2)),
                new Clients.Times(Duration.ofMillis(1_500), Duration.ofSeconds(1), Duration.ofMillis(500)),
                new Clients.Times(Duration.ofSeconds(8), Duration.ofSeconds(12), Duration.ofSeconds(2)));
        int rounds = Rounds.in(host, COST,
                scale.choose(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(6)));
        int processors = host.processorsOfPinned();
        double capacity = processors * NANOS_PER_SECOND / COST.toNanos();
        LoadGenerator generator = LoadGenerator.start(host);
        List<Trial> trials = new ArrayList<>();
        for (int ratio : scale.choose(RATIOS, List.of(RATIOS.get(1)), RATIOS)) {
            Bottleneck.Work work = new Bottleneck.Work(COST, rounds, COST.multipliedBy(ratio));
            List<MeasuredPeer> contestants = contestants(work, processors * (1 + ratio) + FURTHER_THREADS, target);
            for (double load : scale.choose(List.of(0.5), List.of(0.5, 4.0), List.of(0.5, 1.0, 2.0, 4.0))) {
                for (MeasuredPeer each
                        : scale == Scale.SMALLEST && ratio > 0 ? contestants.subList(0, 1) : contestants) {
                    boolean hasToGrow = each.name().equals(STAGES) && ratio > 0 && scale == Scale.FULL;
                    trials.add(new TodayTrial(each, ratio, load, capacity * load,
                            hasToGrow ? new Clients.Times(GROWTH, times.measured(), times.timeout()) : times,
                            generator, host));
                }
            }
        }
        return new Preparation(trials, 1, List.of(), generator);
    }

    private static List<MeasuredPeer> contestants(Bottleneck.Work work, int limit, Duration target) {
        return List.of(
                haboob(STAGES, work, target),
                haboob(VIRTUAL_STAGES, work, target, "--virtual", "--page-threads", Integer.toString(limit)),
                virtual(PLAIN, GateKind.PLAIN, work, limit, target),
                virtual(SEMAPHORE, GateKind.SEMAPHORE, work, limit, target),
                virtual(QUEUE, GateKind.QUEUE, work, limit, target),
                virtual(STAGE_IN_FRONT, GateKind.STAGE, work, limit, target));
    }

    private static MeasuredPeer haboob(String contestant, Bottleneck.Work work, Duration target, String... options) {
        List<String> arguments = new ArrayList<>(List.of("haboob", "--port", "0", "--connections",
                Integer.toString(CONNECTIONS), "--shedding", "backlog", "--target", Long.toString(target.toMillis()),
                "--rounds", Integer.toString(work.rounds()), "--wait", Long.toString(work.pause().toMillis())));
        arguments.addAll(List.of(options));
        return new MeasuredPeer(contestant, (host, name) -> ServerProcess.java(host, "seda-today " + name, HEAP,
                Main.class, arguments.toArray(String[]::new)));
    }

    private static MeasuredPeer virtual(String contestant, GateKind kind, Bottleneck.Work work, int limit,
            Duration target) {
        return new MeasuredPeer(contestant, (host, name) -> ServerProcess.java(host, "seda-today " + name, HEAP,
                PageServer.class, PageServer.arguments(kind, work, limit, target, CONNECTIONS)));
    }
}

package dev.sluice.benchmarks.seda.classes;

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
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Haboob's bottleneck with requests of two classes, of which one is shed first, and with one class. */
public final class ClassesSuite implements Suite {

    private static final List<String> STRATEGIES = List.of("mean", "percentile", "backlog", "delay");
    private static final int CONNECTIONS = 2_048;
    private static final Duration TARGET = Duration.ofMillis(500);
    private static final Duration SHORT_TARGET = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int COST_MILLIS = 2;
    /** Limit of the share of the first class that is refused, in percent. */
    private static final double HARDLY_ANY = 1;
    private static final double LATE = 1.5;

    /** Creates a suite. */
    public ClassesSuite() {
    }

    private static String alike(String strategy) {
        return strategy + ", one class";
    }

    private static String shedFirst(String strategy) {
        return strategy + ", second class first";
    }

    @Override
    public String name() {
        return "seda-classes";
    }

    @Override
    public String summary() {
        return "requests of two classes for a page of 2 ms, from Haboob that sheds one of them first";
    }

    @Override
    public String method() {
        return """
                *Adaptive Overload Control for Busy Internet Servers* (Welsh and Culler, 2003): of two classes of
                request, a server that is overloaded sheds one first. %d clients ask for `%s`, which costs %d ms of
                processor time, and beside them 64, 256 or 1,024 for the same page with a query, by which Haboob knows
                the second class (`--shed-first`). All think for 20 ms after a page or a refusal. The server can serve
                those of the first class within the target for the response time, which is %d ms (with `--quick` %d ms),
                but not 256 others and more beside them. Response times are multiples of that target. The tables are of
                10 s that begin after 30 s, when all have had time to adapt (with `--quick` of 2 s, after 3 s).
                Scenarios count the clients of the second class.

                Each policy that sheds load is measured with and without classes. With them, hardly any request of the
                first class is to be refused. The servers are processes on processor 0, started for each measurement,
                the clients a process with one thread on processor 1."""
                .formatted(ClassesTrial.FIRST_CLIENTS, ClassesTrial.PATH, COST_MILLIS, TARGET.toMillis(),
                        SHORT_TARGET.toMillis());
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(ClassesTrial.FIRST_REFUSED, "%", Better.LOWER, null, Chart.NONE)
                        .with(targets(each -> Target.of(shedFirst(each), HARDLY_ANY))),
                new Section(ClassesTrial.FIRST_RATE, "1/s", Better.HIGHER, null, Chart.BARS).drawing(alike("mean"),
                        shedFirst("mean"), alike("backlog"), shedFirst("backlog"), shedFirst("percentile"),
                        shedFirst("delay")),
                new Section(ClassesTrial.FIRST_HIGH, "times the target", Better.LOWER, null, Chart.NONE)
                        .with(targets(each -> Target.of(shedFirst(each), LATE))),
                new Section(ClassesTrial.SECOND_RATE, "1/s", Better.HIGHER, null, Chart.NONE),
                new Section(ClassesTrial.SECOND_REFUSED, "%", Better.LOWER, null, Chart.NONE));
    }

    private static Target[] targets(Function<String, Target> target) {
        return STRATEGIES.stream().map(target).toArray(Target[]::new);
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(3), Duration.ofSeconds(50), Duration.ofMinutes(17));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        Duration target = scale == Scale.FULL ? TARGET : SHORT_TARGET;
        Clients.Times times = scale.choose(
                new Clients.Times(Duration.ofMillis(50), Duration.ofMillis(300), TIMEOUT),
                new Clients.Times(Duration.ofSeconds(3), Duration.ofSeconds(2), TIMEOUT),
                new Clients.Times(Duration.ofSeconds(30), Duration.ofSeconds(10), TIMEOUT));
        LoadGenerator generator = LoadGenerator.start(host);
        List<Trial> trials = new ArrayList<>();
        for (int second : scale.choose(List.of(8), List.of(256), List.of(64, 256, 1_024))) {
            for (String strategy : scale == Scale.SMALLEST ? List.of("backlog") : STRATEGIES) {
                trials.add(new ClassesTrial(haboob(alike(strategy), strategy, target), second, target, times,
                        generator, host));
                trials.add(new ClassesTrial(haboob(shedFirst(strategy), strategy, target, "--shed-first",
                        ClassesTrial.QUERY), second, target, times, generator, host));
            }
        }
        return new Preparation(trials, 1, List.of(), generator);
    }

    private static MeasuredPeer haboob(String contestant, String strategy, Duration target, String... options) {
        List<String> arguments = new ArrayList<>(List.of("haboob", "--port", "0", "--connections",
                Integer.toString(CONNECTIONS), "--shedding", strategy, "--cost", Integer.toString(COST_MILLIS),
                "--target", Long.toString(target.toMillis())));
        arguments.addAll(List.of(options));
        return new MeasuredPeer(contestant, (host, name) -> ServerProcess.java(host, "seda-classes " + name, List.of(),
                Main.class, arguments.toArray(String[]::new)));
    }
}

package dev.sluice.benchmarks.seda.controllers;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.benchmarks.workload.WorkloadTrial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Own controllers of two stages beside a global one. */
public final class ControllersSuite implements Suite {

    private static final String NONE = "Sluice, no controllers";
    private static final String OWN = "Sluice, own controllers";
    private static final String GLOBAL = "Sluice, global controller";
    private static final Duration FIRST = Duration.ofNanos(500_000);
    private static final Duration SECOND = Duration.ofNanos(1_500_000);
    private static final int ROUNDS = 3;

    /** Creates a suite. */
    public ControllersSuite() {
    }

    @Override
    public String name() {
        return "seda-controllers";
    }

    @Override
    public String summary() {
        return "two stages whose own controllers work against each other under overload, beside a global controller";
    }

    @Override
    public String method() {
        return """
                Section 3.4 of the paper names a controller of the whole system as a possibility. Two stages compute,
                %.1f ms in the first and %.1f ms in the second, and jobs come in an open loop, up to three times as many
                as the processors can do. Both stages want the same processors: a thread that the first one gets
                takes processor time from the second one, which then refuses what the first one has worked on.

                With *%s* each stage has the thread pool controller, which looks every %d ms, and the backlog controller
                for half of the target; with *%s* the graph has `GlobalController` for at most %d threads and the whole
                target, %d ms; with *%s* each stage has one thread, and refuses what does not fit into its queue of
                1024. The work of a job that the second stage refuses or discards is wasted. Each measurement is a
                process of its own, which may use every processor; its jobs come from one of its threads."""
                .formatted(FIRST.toNanos() / 1e6, SECOND.toNanos() / 1e6, OWN, Control.PERIOD.toMillis(), GLOBAL,
                        Control.MAX_THREADS, Control.TARGET.toMillis(), NONE);
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(TwoStages.DONE, "1/s", Better.HIGHER, OWN, Chart.LINES)
                        .with(Target.times(GLOBAL, 1, OWN)).over("times the load that the processors can do"),
                new Section(TwoStages.WASTED, "%", Better.LOWER, null, Chart.NONE),
                new Section(TwoStages.HIGH, "ms", Better.LOWER, OWN, Chart.NONE)
                        .with(Target.of(OWN, Control.TARGET.toMillis()), Target.of(GLOBAL, Control.TARGET.toMillis())),
                new Section(TwoStages.THREADS, "threads", Better.LOWER, null, Chart.NONE));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(2), Duration.ofSeconds(32), Duration.ofMinutes(13));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        Duration warmUp = scale.choose(Duration.ofMillis(20), Duration.ofSeconds(3), Duration.ofSeconds(10));
        Duration time = scale.choose(Duration.ofMillis(100), Duration.ofMillis(1_500), Duration.ofSeconds(10));
        double capacity = host.processors() * (double) TimeUnit.SECONDS.toNanos(1)
                / FIRST.plus(SECOND).toNanos();
        List<Trial> trials = new ArrayList<>();
        for (double load : scale.choose(List.of(1.0), List.of(0.5, 2.0), List.of(0.5, 1.0, 2.0, 3.0))) {
            String scenario = String.format(Locale.ROOT, "%.1f times the load", load);
            int perSecond = (int) (capacity * load);
            trials.add(trial(scenario, NONE, Control.NONE, perSecond, warmUp, time, scale, host));
            trials.add(trial(scenario, OWN, Control.OWN, perSecond, warmUp, time, scale, host));
            trials.add(trial(scenario, GLOBAL, Control.GLOBAL, perSecond, warmUp, time, scale, host));
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), List.of());
    }

    private static Trial trial(String scenario, String contestant, Control control, int perSecond, Duration warmUp,
            Duration time, Scale scale, Host host) {
        // It warms up itself, with the stages that are measured.
        return new WorkloadTrial(scenario, contestant, TwoStages.class,
                TwoStages.arguments(control, perSecond, FIRST, SECOND, warmUp), Duration.ZERO, time, scale, host);
    }
}

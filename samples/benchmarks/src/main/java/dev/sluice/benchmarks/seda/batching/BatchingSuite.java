package dev.sluice.benchmarks.seda.batching;

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
import dev.sluice.stages.BatchingController;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The batching controller, beside fixed factors. */
public final class BatchingSuite implements Suite {

    private static final String LARGEST = "Sluice, batches of " + BatchingController.MAX;
    private static final String CONTROLLER = "Sluice, batching controller";
    private static final String SINGLE = "Sluice, single events";
    private static final int CONTROLLED = 0;
    private static final int ROUNDS = 3;

    /** Creates a suite. */
    public BatchingSuite() {
    }

    @Override
    public String name() {
        return "seda-batching";
    }

    @Override
    public String summary() {
        return "the batching controller on a stage whose cost per batch oscillates, beside fixed batches";
    }

    @Override
    public String method() {
        return """
                Figure 9 of the paper. A stage with one thread always has more events waiting than the largest batch
                holds. A batch costs 5 µs for each of its events, and besides 10 to 90 µs, which rise and fall like a
                sine: the larger the batches, the more events in a second, but less and less so. The controller has its
                defaults, and looks once in a window; it has a period of the sine to search before it is
                measured, and that is ten windows. A window is 1 s, and with `--quick` 0.2 s.

                Each measurement is a process of its own, which may use every processor. Nothing comes from outside, as
                the events go round: there is no load that could be kept apart from the stage.""";
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(OscillatingStage.RATE, "1/s", Better.HIGHER, LARGEST, Chart.NONE)
                        .with(Target.times(CONTROLLER, 0.98, LARGEST)),
                new Section(OscillatingStage.BATCH, "events", Better.LOWER, LARGEST, Chart.NONE)
                        .with(Target.times(CONTROLLER, 0.5, LARGEST)),
                new Section(OscillatingStage.BATCH_COURSE, "events", Better.LOWER, null, Chart.COURSE),
                new Section(OscillatingStage.RATE_COURSE, "1/s", Better.HIGHER, null, Chart.COURSE));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(1), Duration.ofSeconds(25), Duration.ofMinutes(6));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        Duration window = scale.choose(Duration.ofMillis(10), Duration.ofMillis(200), BatchingController.WINDOW);
        List<Trial> trials = new ArrayList<>();
        trials.add(trial(LARGEST, BatchingController.MAX, window, scale, host));
        trials.add(trial(CONTROLLER, CONTROLLED, window, scale, host));
        trials.add(trial(SINGLE, 1, window, scale, host));
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), List.of());
    }

    private static Trial trial(String contestant, int batch, Duration window, Scale scale, Host host) {
        Duration period = window.multipliedBy(10);
        return new WorkloadTrial("one stage", contestant, OscillatingStage.class,
                OscillatingStage.arguments(batch, period, window), period,
                period.multipliedBy(scale.choose(1, 2, 2)), scale, host);
    }
}

package dev.sluice.benchmarks.seda.little;

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
import dev.sluice.stages.ThreadPoolController;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The thread pool controller, beside one thread. */
public final class LittleSuite implements Suite {

    private static final String ONE_THREAD = "Sluice, one thread";
    private static final String CONTROLLER = "Sluice, thread pool controller";
    private static final Duration NO_CONTROLLER = Duration.ZERO;
    private static final Duration QUICK_PERIOD = Duration.ofMillis(500);
    /** Events per second: few, and many. */
    private static final int LIGHT = 200;
    private static final int HEAVY = 1000;
    private static final int ROUNDS = 3;

    /** Creates a suite. */
    public LittleSuite() {
    }

    @Override
    public String name() {
        return "seda-little";
    }

    @Override
    public String summary() {
        return "the threads that the controller gives a stage whose events block, beside Little's law";
    }

    @Override
    public String method() {
        return """
                Figure 14 of the paper. Events come at a fixed rate, handled or not; %d of a hundred, always
                the same ones, sleep for %d ms in the handler. On average as many threads are busy as events come
                in a second, times the share that sleeps, times the time: Little's law. The stage has one thread, or
                a thread pool controller with its defaults, which looks every %d s (with `--quick` every %d ms). The
                response time is taken from when an event was due. Each figure is that of the events of the second
                half; what a stage has not handled by then is handled afterwards, and counts with the time that this
                took.

                In the paper the controller added no thread at 100 and 200 events per second, as the queue was short,
                and so the response time there was longer than at 400 and 1000. This one also looks at how long the
                oldest event has waited.

                Each measurement is a process of its own, which may use every processor. The events come from one of its
                threads, which sleeps until the next one is due, and all that they do is to sleep: none competes for
                a processor, so there is nothing to keep apart.""".formatted(Arrivals.BLOCKING_PERCENT,
                Arrivals.BLOCKED_MILLIS, ThreadPoolController.PERIOD.toSeconds(), QUICK_PERIOD.toMillis());
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(BlockingStage.THREADS, "threads", Better.LOWER, null, Chart.LINES)
                        .with(Target.near(CONTROLLER, 1, LittleTrial.CONTESTANT)),
                new Section(BlockingStage.MEAN, "ms", Better.LOWER, ONE_THREAD, Chart.NONE)
                        .with(Target.timesElsewhere(CONTROLLER, scenario(LIGHT), 1, scenario(HEAVY))),
                new Section(BlockingStage.HIGH, "ms", Better.LOWER, ONE_THREAD, Chart.NONE));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(2), Duration.ofSeconds(35), Duration.ofMinutes(11));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        Duration period = scale == Scale.FULL ? ThreadPoolController.PERIOD : QUICK_PERIOD;
        Duration time = scale.choose(Duration.ofMillis(100), Duration.ofSeconds(4), Duration.ofSeconds(24));
        List<Trial> trials = new ArrayList<>();
        for (int perSecond : scale.choose(List.of(100), List.of(LIGHT, 400, HEAVY), List.of(100, LIGHT, 400, HEAVY))) {
            String scenario = scenario(perSecond);
            trials.add(trial(scenario, ONE_THREAD, perSecond, NO_CONTROLLER, time, scale, host));
            trials.add(trial(scenario, CONTROLLER, perSecond, period, time, scale, host));
            trials.add(new LittleTrial(scenario, new Arrivals(perSecond)));
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), List.of());
    }

    private static String scenario(int perSecond) {
        return perSecond + " events/s";
    }

    private static Trial trial(String scenario, String contestant, int perSecond, Duration period, Duration time,
            Scale scale, Host host) {
        return new WorkloadTrial(scenario, contestant, BlockingStage.class, BlockingStage.arguments(perSecond, period),
                Duration.ZERO, time, scale, host);
    }
}

package dev.sluice.benchmarks.seda.queue;

import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.Packets;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.stages.ThreadPoolController;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The queue of the router sample over time. */
public final class QueueSuite implements Suite {

    private static final String ONE_THREAD = "Sluice, one thread";
    private static final String CONTROLLER = "Sluice, thread pool controller";

    /** Creates a suite. */
    public QueueSuite() {
    }

    @Override
    public String name() {
        return "seda-queue";
    }

    @Override
    public String summary() {
        return "the queue of the Gnutella router sample over time, at 1000 packets per second that one thread cannot "
                + "keep up with";
    }

    @Override
    public String method() {
        return """
                Figure 14c of the paper. A neighbour sends %,d packets per second, %d %% of them queries, on which the
                router sleeps for %d ms; by Little's law that takes 3 threads. The router stage has one thread, or the
                thread pool controller, which looks every %d s. Its queue and its threads are what the router tells at
                its status page (`/stages.json`), ten times a second, from before the first packet to after the last.
                The queue is bounded: when it is full, the router receives nothing until there is space again, and
                packets wait in the system. The router is a process on processor 0, its neighbours are one process on
                processor 1.""".formatted(QueueTrial.PER_SECOND, Packets.QUERY_PERCENT, QueueTrial.DELAY_MILLIS,
                ThreadPoolController.PERIOD.toSeconds());
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(QueueTrial.QUEUE, "packets", Better.LOWER, null, Chart.COURSE),
                new Section(QueueTrial.THREADS, "threads", Better.LOWER, null, Chart.COURSE),
                new Section(QueueTrial.LAST, "packets", Better.LOWER, ONE_THREAD, Chart.NONE)
                        .with(Target.of(CONTROLLER, ThreadPoolController.QUEUE_THRESHOLD)),
                new Section(QueueTrial.LONGEST, "packets", Better.LOWER, ONE_THREAD, Chart.NONE),
                new Section(QueueTrial.MAX_THREADS, "threads", Better.LOWER, null, Chart.NONE));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(3), Duration.ofSeconds(16), Duration.ofMinutes(2));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        LoadGenerator generator = LoadGenerator.start(host);
        Duration time = scale.choose(Duration.ofMillis(300), Duration.ofSeconds(6), Duration.ofSeconds(30));
        Duration between = Duration.ofMillis(100);
        List<Trial> trials = List.of(
                new QueueTrial(ONE_THREAD, 1, time, between, generator, host),
                new QueueTrial(CONTROLLER, ThreadPoolController.DEFAULT_MAX, time, between, generator, host));
        return new Preparation(trials, 1, List.of(), generator);
    }
}

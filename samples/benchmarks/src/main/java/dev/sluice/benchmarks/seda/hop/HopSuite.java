package dev.sluice.benchmarks.seda.hop;

import dev.sluice.benchmarks.jmh.JmhTrial;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The way from stage to stage. */
public final class HopSuite implements Suite {

    private static final String RATE = "events through all stages per second";
    private static final String TIME = "time of a lone event through all stages";
    private static final String ALLOCATED = "allocated per event of many";
    private static final String ALLOCATED_ALONE = "allocated per lone event";
    private static final String BASELINE = ChainKind.EXECUTOR.contestant();
    private static final String OWN = ChainKind.OWN.contestant();
    /** In bytes per event; what is less comes of measuring. */
    private static final double NOTHING = 0.5;
    private static final int ROUNDS = 5;

    /** Creates a suite. */
    public HopSuite() {
    }

    @Override
    public String name() {
        return "seda-hop";
    }

    @Override
    public String summary() {
        return "passing events through 1 to 10 stages, beside calls, ThreadPoolExecutor and the LMAX Disruptor";
    }

    @Override
    public String method() {
        return """
                Each stage counts an event, and passes it to the next one; the last one checks that all come in order,
                and have been in all stages. The same stages of Sluice are run in three ways: *direct*, as a call in the
                sender's thread; by a *shared pool* with as many threads as there are processors; and, as the paper has
                it, by their *own threads*, one each. The others have one thread for each stage, too, apart from the
                *plain call* of one method by another. Stages and Disruptors let any number of threads enqueue, and a
                thread that waits for events sleeps (`BlockingWaitStrategy`). *LMAX Disruptor* has a ring for each
                stage, as a graph would need it whose handlers decide where an event goes; *one ring* is how its own
                documentation builds a chain that is fixed: nothing is passed on, the stages only follow each other
                around the ring, and spin while they wait for the one before.

                *Per second*: a thread sends %,d events, as many as a queue holds, and parks until the last one has come
                out of the last stage. *Lone event*: it sends one, and parks until that has come out; all threads
                are kept on one processor (on Linux), because waking up one that has fallen idle takes many times as
                long as the rest. The events exist before, so what is allocated is what passing them
                takes; less than half a byte counts as nothing, as measuring takes a
                little, too.

                Each measurement is a process of its own. Sender and stages are parts of one program, so there is no
                server that could be kept apart from its load; and *per second* its threads may use every processor, as
                those of a program may.""".formatted(Hop.BURST);
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(RATE, "1/s", Better.HIGHER, BASELINE, Chart.BARS).with(Target.times(OWN, 2, BASELINE),
                        Target.times(OWN, 0.8, ChainKind.RINGS.contestant()))
                        .drawing(ChainKind.DIRECT.contestant(), ChainKind.SHARED.contestant(), OWN, BASELINE,
                                ChainKind.RINGS.contestant(), ChainKind.ONE_RING.contestant()),
                new Section(TIME, "µs", Better.LOWER, BASELINE, Chart.NONE).with(Target.times(OWN, 1.1, BASELINE)),
                new Section(ALLOCATED, "B", Better.LOWER, null, Chart.NONE).with(nothing()),
                new Section(ALLOCATED_ALONE, "B", Better.LOWER, null, Chart.NONE).with(nothing()));
    }

    private static Target[] nothing() {
        return Stream.of(ChainKind.DIRECT, ChainKind.SHARED, ChainKind.OWN)
                .map(kind -> Target.of(kind.contestant(), NOTHING)).toArray(Target[]::new);
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(4), Duration.ofSeconds(45), Duration.ofMinutes(9));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        List<Trial> trials = new ArrayList<>();
        for (int stages : scale.choose(List.of(3), List.of(1, 10), List.of(1, 3, 10))) {
            for (ChainKind kind : contestants(stages)) {
                trials.add(trial(kind, stages, "throughput", RATE, ALLOCATED, scale, host));
            }
            for (ChainKind kind : contestants(stages)) {
                trials.add(trial(kind, stages, "time", TIME, ALLOCATED_ALONE, scale, host));
            }
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), List.of());
    }

    /** With a single stage, both ways to use a Disruptor are the same. */
    private static List<ChainKind> contestants(int stages) {
        return stages > 1 ? List.of(ChainKind.values())
                : List.of(ChainKind.values()).stream().filter(kind -> kind != ChainKind.ONE_RING).toList();
    }

    private static Trial trial(ChainKind kind, int stages, String method, String figure, String allocated, Scale scale,
            Host host) {
        return new JmhTrial(stages == 1 ? "1 stage" : stages + " stages", kind.contestant(), Hop.class, method,
                Map.of("kind", kind.name(), "stages", Integer.toString(stages)), figure, allocated, scale, host);
    }
}

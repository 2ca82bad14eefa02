package dev.sluice.benchmarks.seda.router;

import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.Packets;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.LiveHeap;
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
import java.util.ArrayList;
import java.util.List;

/** The router sample under what the paper put on its own, and more. */
public final class RouterSuite implements Suite {

    static final String THREADS = "threads of the router stage";
    static final String MEAN = "mean time from when a packet is due until it comes";
    static final String HIGH = "99th percentile of that time";
    static final String RATE = "packets per second";
    static final String LOST = "packets lost";
    static final String HIGH_OF_OTHERS = "99th percentile of that time, of those who read";
    static final String MEMORY = "most of the router's heap after a collection";
    static final String FLAT_OUT = "flat out";
    static final String ALL_READ = "all read";
    static final String ONE_SLOW = "one does not";
    static final String LAW = "Little's law";
    static final int DELAY_MILLIS = 20;

    private static final String ONE_THREAD = "Sluice router, one thread";
    private static final String CONTROLLER = "Sluice router, thread pool controller";
    private static final double MUCH = 200_000;
    private static final double LITTLE_MORE = 1.2;
    private static final double HARDLY_MORE = 1.1;
    private static final int ROUNDS = 3;

    /** Creates a suite. */
    public RouterSuite() {
    }

    /** {@return the scenario with this rate} */
    static String scenario(int perSecond) {
        return perSecond + " packets/s";
    }

    @Override
    public String name() {
        return "seda-router";
    }

    @Override
    public String summary() {
        return "the Gnutella router sample: its threads beside Little's law, flat out, and with a neighbour that does"
                + " not read";
    }

    @Override
    public String method() {
        return """
                Figure 14 of the paper. A neighbour sends packets at a fixed rate, delivered or not, and the
                router sends each of them to another one, who compares every byte and knows which are missing; %d of a
                hundred are queries, on which the router sleeps for %d ms, and the others are pings. The router stage
                has one thread, or the thread pool controller with up to %d, which looks every %d s. What counts is what
                is sent in the last quarter of the time or so, when the controller has found its threads; what has not
                come by then is waited for. Threads are counted as the system lists them for the process, every 50 ms.

                *Flat out*: queries without a delay, as many as the router takes, with 65 536 on their way.
                *One does not*: besides three neighbours who read, there is one that greets when the measured time
                begins, and then reads nothing. What the system keeps for it is full about a second later; then the
                router waits for it for a second, drops what is for it, and closes its connection when that was full for
                5 s. All of this is inside the measured time, which with `--quick` ends before the close; the time is
                that of the three who read. The heap, which may have 128 MB, is looked at twice a second in runs that
                nothing else is measured in, each time after a collection. The router is a process on processor 0,
                started for each measurement; all neighbours are one process on processor 1, with one thread, on Sluice.
                `--outgoing` is what it is by default."""
                .formatted(Packets.QUERY_PERCENT, DELAY_MILLIS, ThreadPoolController.DEFAULT_MAX,
                        ThreadPoolController.PERIOD.toSeconds());
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(THREADS, "threads", Better.LOWER, null, Chart.NONE)
                        .with(Target.near(CONTROLLER, 1, LAW)),
                new Section(MEAN, "ms", Better.LOWER, ONE_THREAD, Chart.LINES),
                new Section(HIGH, "ms", Better.LOWER, ONE_THREAD, Chart.NONE),
                new Section(RATE, "1/s", Better.HIGHER, null, Chart.NONE).with(Target.of(ONE_THREAD, MUCH)),
                new Section(LOST, "packets", Better.LOWER, null, Chart.NONE)
                        .with(Target.of(ONE_THREAD, 0), Target.of(CONTROLLER, 0)),
                new Section(HIGH_OF_OTHERS, "ms", Better.LOWER, null, Chart.NONE)
                        .with(Target.timesElsewhere(ONE_THREAD, ONE_SLOW, LITTLE_MORE, ALL_READ)),
                new Section(MEMORY, "MB", Better.LOWER, null, Chart.NONE)
                        .with(Target.timesElsewhere(ONE_THREAD, ONE_SLOW, HARDLY_MORE, ALL_READ)));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(6), Duration.ofSeconds(60), Duration.ofMinutes(15));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        LoadGenerator generator = LoadGenerator.start(host);
        RouterTrial.Setting setting = new RouterTrial.Setting(host, generator,
                scale.choose(Duration.ofMillis(50), Duration.ofMillis(4_500), Duration.ofSeconds(18)),
                scale.choose(Duration.ofMillis(300), Duration.ofMillis(1_500), Duration.ofSeconds(6)));
        RouterTrial.Setting shorter = setting.lasting(
                scale.choose(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofSeconds(3)), setting.measured());
        List<Trial> trials = new ArrayList<>();
        List<String> absences = new ArrayList<>();
        for (int perSecond : scale.choose(List.of(100), List.of(200, 1000), List.of(100, 200, 400, 1000))) {
            if (scale != Scale.SMALLEST) {
                trials.add(new OpenLoopTrial(perSecond, ONE_THREAD, 1, setting));
            }
            trials.add(new OpenLoopTrial(perSecond, CONTROLLER, ThreadPoolController.DEFAULT_MAX, setting));
            trials.add(new LawTrial(perSecond));
        }
        trials.add(new FlatOutTrial(ONE_THREAD, shorter));
        int perSecond = scale.choose(1_000, 5_000, 5_000);
        RouterTrial.Setting slow = shorter.lasting(shorter.warmUp(),
                scale.choose(Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofSeconds(8)));
        if (scale != Scale.SMALLEST) {
            trials.add(new SlowPeerTrial(0, perSecond, ONE_THREAD, slow));
            trials.add(new HeapTrial(0, perSecond, ONE_THREAD, slow));
        }
        trials.add(new SlowPeerTrial(1, perSecond, ONE_THREAD, slow));
        trials.add(new HeapTrial(1, perSecond, ONE_THREAD, slow));
        if (!LiveHeap.isTold()) {
            trials.removeIf(HeapTrial.class::isInstance);
            absences.add("The router's heap is not looked at: this Java has no jcmd; install a JDK.");
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), absences, generator);
    }
}

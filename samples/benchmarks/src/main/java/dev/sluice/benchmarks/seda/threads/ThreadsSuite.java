package dev.sluice.benchmarks.seda.threads;

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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A thread for each task, beside a stage. */
public final class ThreadsSuite implements Suite {

    private static final String BASELINE = ServerKind.PLATFORM.contestant();
    /** The most threads of a process that Linux allows by default: each needs two mappings. */
    private static final int MAX_PLATFORM_THREADS = 16_384;
    /** The number of tasks that keeps the stage's thread awake. */
    private static final int LOADED = 4_096;
    private static final int MANY = 65_536;
    private static final int MAX_TASKS = 1_048_576;
    /** Linear, apart from what a million tasks cost because they fit into no cache of the processor. */
    private static final double LINEAR = 1.25;
    /** For a million virtual threads. */
    private static final String LARGE_HEAP = "4g";
    private static final int ROUNDS = 3;

    /** Creates a suite. */
    public ThreadsSuite() {
    }

    @Override
    public String name() {
        return "seda-threads";
    }

    @Override
    public String summary() {
        return "1 to 1 048 576 tasks at once, each of which reads 8 KiB from the system's cache: a thread for each, or"
                + " one stage";
    }

    @Override
    public String method() {
        return """
                Figures 2 and 4 of the paper. All tasks are handed over one after the other, by one thread that makes
                them up itself, and each reads the same %d KiB of a file and checks them; when all are done, the next
                round begins. The threads are there before: each sleeps until its task is handed over. The stage has one
                thread, and a queue for all tasks. The response time of a task is the time from its hand-over until it
                is done; if the throughput stays the same, it is proportional to the number of tasks. So its mean
                *divided by the tasks* shows whether it is linear: then it does not grow from %,d tasks on, where
                waking up a thread that sleeps counts for nothing any more. There are no more than %,d platform threads,
                because systems allow no more by default.

                Each measurement is a process of its own, which may use every processor. As in the paper there is no
                server with clients, only tasks and who does them; and threads that were kept on one processor would not
                show what many of them can do.""".formatted(CachedFile.BYTES / 1024, LOADED, MAX_PLATFORM_THREADS);
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(CachedReads.RATE, "1/s", Better.HIGHER, BASELINE, Chart.LINES)
                        .with(Target.ofOwnBest(ServerKind.STAGE.contestant(), 0.95)),
                new Section(CachedReads.TIME, "µs", Better.LOWER, BASELINE, Chart.NONE),
                new Section(CachedReads.TIME_BY_TASKS, "ns", Better.LOWER, null, Chart.NONE)
                        .with(Target.timesElsewhere(ServerKind.STAGE.contestant(), scenario(MAX_TASKS), LINEAR,
                                scenario(LOADED))));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(1), Duration.ofSeconds(40), Duration.ofMinutes(8));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        Path file = host.directory().resolve("seda-threads.bin");
        CachedFile.write(file);
        List<Trial> trials = new ArrayList<>();
        for (int tasks : scale.choose(List.of(16), List.of(1, 64, LOADED, MAX_TASKS),
                List.of(1, 4, 16, 64, 256, 1_024, LOADED, MAX_PLATFORM_THREADS, MANY, 262_144, MAX_TASKS))) {
            for (ServerKind kind : ServerKind.values()) {
                if (kind != ServerKind.PLATFORM || tasks <= MAX_PLATFORM_THREADS) {
                    trials.add(new WorkloadTrial(scenario(tasks), kind.contestant(), CachedReads.class,
                            CachedReads.arguments(kind, tasks, file), scale.warmUp(), scale.measured(), scale, host,
                            tasks >= MANY ? LARGE_HEAP : WorkloadTrial.HEAP));
                }
            }
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), List.of());
    }

    private static String scenario(int tasks) {
        return tasks == 1 ? "1 task" : tasks + " tasks";
    }
}

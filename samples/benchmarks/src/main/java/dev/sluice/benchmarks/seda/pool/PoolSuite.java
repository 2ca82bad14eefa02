package dev.sluice.benchmarks.seda.pool;

import dev.sluice.benchmarks.load.Clients;
import dev.sluice.benchmarks.load.FileSet;
import dev.sluice.benchmarks.load.LoadGenerator;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The thread pools of Haboob while load comes and goes. */
public final class PoolSuite implements Suite {

    static final String HABOOB = "Sluice Haboob";

    /** In the order in which a request passes them. */
    private static final List<String> STAGES = List.of("HttpParse", "HttpRecv", "PageCache", "CacheMiss", "file I/O",
            "HttpSend");
    private static final int LOAD = 1_000;
    private static final int LITTLE_LOAD = 30;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Creates a suite. */
    public PoolSuite() {
    }

    /** {@return what a stage is called in the tables} */
    static String contestant(String stage) {
        return HABOOB + ", " + stage;
    }

    @Override
    public String name() {
        return "seda-pool";
    }

    @Override
    public String summary() {
        return "the threads of Haboob's stages in three periods of bursts, with more clients in each";
    }

    @Override
    public String method() {
        return """
                Figure 8 of the paper. In a period all clients connect at once and ask for files, again and again, for
                10 s, and with `--quick` for 2 s; after a gap of 2 s (0.5 s) they come again, and so on for a minute
                (5 s). A pause of 64 s (8 s) follows, in which no client comes, and then the next period with more
                clients. Files, clients and thinking are those of the experiment `web`: every byte is compared. The
                page cache has room for as much of the files as in the paper, a sixteenth (with `--quick` a third).

                All stages of the server have a queue and threads of their own (`--stages paper`), and the thread pool
                controller with its defaults, which are the paper's: it looks every %d s, adds a thread where more than
                %d events wait, up to %d, and takes one back that was idle for %d s. It also adds one where an event has
                waited for %d ms, and takes back one that has brought too little. What is shown is what the server tells
                of its stages (`/stages.json`): in a period twice a second (four times), or less often, as that request
                waits its turn like any other; in a pause once in 8 s (at its end), since the threads that answer are
                not idle.

                The server is a process on processor 0, the clients a process on processor 1."""
                .formatted(ThreadPoolController.PERIOD.toSeconds(), ThreadPoolController.QUEUE_THRESHOLD,
                        ThreadPoolController.DEFAULT_MAX, ThreadPoolController.IDLE.toSeconds(),
                        ThreadPoolController.OLDEST.toMillis());
    }

    @Override
    public List<Section> sections() {
        return List.of(
                new Section(StageTrial.MAX_THREADS, "threads", Better.LOWER, null, Chart.NONE),
                new Section(StageTrial.THREADS_LEFT, "threads", Better.LOWER, null, Chart.NONE).with(STAGES.stream()
                        .map(stage -> Target.of(contestant(stage), 1)).toArray(Target[]::new)),
                new Section(StageTrial.LONGEST_QUEUE, "events", Better.LOWER, null, Chart.NONE),
                new Section(BurstsTrial.PAGES, "1/s", Better.HIGHER, null, Chart.NONE),
                new Section(StageTrial.THREADS, "threads", Better.LOWER, null, Chart.COURSE),
                new Section(StageTrial.QUEUE, "events", Better.LOWER, null, Chart.COURSE));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(3), Duration.ofSeconds(45), Duration.ofMinutes(7));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        int directories = scale.choose(1, FileSet.directories(LITTLE_LOAD), FileSet.directories(LOAD));
        BurstsTrial.Course course = new BurstsTrial.Course(
                scale.choose(List.of(2, 4, 8), List.of(64, 256, 1_024), List.of(64, 256, 1_024)),
                scale.choose(1, 2, 5),
                // Long enough for something to come on a machine that is busy with other things.
                new Clients.Times(Duration.ZERO, scale.choose(Duration.ofMillis(300), Duration.ofSeconds(2),
                        Duration.ofSeconds(10)), TIMEOUT),
                scale.choose(Duration.ZERO, Duration.ofMillis(500), Duration.ofSeconds(2)),
                scale.choose(Duration.ofMillis(50), Duration.ofMillis(250), Duration.ofMillis(500)),
                scale.choose(1, 1, 8),
                scale.choose(Duration.ofMillis(20), Duration.ofSeconds(8), Duration.ofSeconds(8)));
        Path root = host.directory().resolve("seda-pool-files").toAbsolutePath();
        try {
            new FileSet(directories).write(root);
            LoadGenerator generator = LoadGenerator.start(host);
            BurstsTrial bursts = new BurstsTrial(host, generator, root, directories, course);
            List<Trial> trials = new ArrayList<>(List.of(bursts));
            STAGES.forEach(stage -> trials.add(new StageTrial(stage, bursts)));
            return new Preparation(trials, 1, List.of(), () -> {
                try {
                    generator.close();
                } finally {
                    FileSet.remove(root);
                }
            });
        } catch (Throwable e) {
            FileSet.remove(root);
            throw e;
        }
    }
}

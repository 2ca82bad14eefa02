package dev.sluice.benchmarks.seda.little;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Workload;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import dev.sluice.stages.ThreadPoolController;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** A stage some of whose events block, as the router's queries do in the paper. */
public final class BlockingStage implements Workload {

    static final String THREADS = "threads in the second half";
    static final String MEAN = "mean response time in the second half";
    static final String HIGH = "99th percentile of the response time in the second half";

    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(5);
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double HIGH_SHARE = 0.99;

    private final Arrivals arrivals;
    private final Duration period;

    /**
     * Creates a stage ready.
     *
     * @param arguments as from {@link #arguments}
     */
    public BlockingStage(List<String> arguments) {
        arrivals = new Arrivals(Integer.parseInt(arguments.get(0)));
        period = Duration.ofMillis(Long.parseLong(arguments.get(1)));
    }

    /**
     * {@return what the constructor takes}
     *
     * @param perSecond the number of events that come
     * @param period    how often the controller looks; zero if there is none
     */
    static List<String> arguments(int perSecond, Duration period) {
        return List.of(Integer.toString(perSecond), Long.toString(period.toMillis()));
    }

    @Override
    public void work(Duration time, Recorder recorder) throws IOException, InterruptedException {
        int count = (int) Math.max(2, time.toMillis() * arrivals.perSecond() / TimeUnit.SECONDS.toMillis(1));
        StageOptions<Arrival> options = new StageOptions<Arrival>()
                .capacity(Math.min(count, StageOptions.MAX_CAPACITY));
        if (period.isZero()) {
            options.ownThreads(1, 1);
        } else {
            options.ownThreads(1, ThreadPoolController.DEFAULT_MAX).control(new ThreadPoolController().period(period));
        }
        try (StageGraph graph = new StageGraph("little")) {
            Stage<Arrival> stage = graph.add("queries", Arrival.class, new Blocking(), options);
            graph.start();
            send(count, stage, recorder);
            StopReport report = graph.stop(LONGEST_DRAIN);
            if (stage.handled() != count || !report.isDrained()) {
                throw new IOException(stage.handled() + " of " + count + " events were handled: " + report);
            }
        }
    }

    private void send(int count, Stage<Arrival> stage, Recorder recorder) throws IOException, InterruptedException {
        List<Arrival> late = new ArrayList<>();
        long threads = 0;
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Arrival arrival = arrivals.arrival(i, start);
            arrival.awaitDue();
            EnqueueResult outcome = stage.queue().enqueue(arrival);
            if (outcome != EnqueueResult.ACCEPTED) {
                throw new IOException("the queue says " + outcome);
            }
            if (i >= count / 2) {
                late.add(arrival);
                threads += stage.threads();
            }
        }
        recorder.record(THREADS, threads / (double) late.size());
        awaitHandled(stage, count);
        long[] times = late.stream().mapToLong(Arrival::responseTime).sorted().toArray();
        recorder.record(MEAN, LongStream.of(times).average().orElseThrow() / NANOS_PER_MILLI);
        recorder.record(HIGH, times[(int) (HIGH_SHARE * (times.length - 1))] / NANOS_PER_MILLI);
    }

    /** Whatever the stage cannot keep up with is handled later, and counts with the time that it took. */
    private static void awaitHandled(Stage<?> stage, int count) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LONGEST_DRAIN.toNanos();
        while (stage.handled() < count) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("after " + LONGEST_DRAIN + " only " + stage.handled() + " of " + count
                        + " events have been handled");
            }
            Thread.sleep(1);
        }
    }

    @Override
    public void close() {
        // The graph lives as long as the work.
    }

    /** The handler. */
    private static final class Blocking implements StageHandler<Arrival> {

        @Override
        public void handleEvents(EventBatch<Arrival> batch) throws InterruptedException {
            for (Arrival event = batch.next(); event != null; event = batch.next()) {
                if (event.blocks()) {
                    Thread.sleep(Arrivals.BLOCKED_MILLIS);
                }
                event.handle();
            }
        }
    }
}

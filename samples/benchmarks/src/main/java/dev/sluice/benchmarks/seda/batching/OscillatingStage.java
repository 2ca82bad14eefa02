package dev.sluice.benchmarks.seda.batching;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Workload;
import dev.sluice.stages.BatchingController;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A stage that always has enough to do: each event that it has handled comes back. */
public final class OscillatingStage implements Workload {

    static final String RATE = "events per second";
    static final String BATCH = "mean batch";
    static final String RATE_COURSE = "events per second over time";
    static final String BATCH_COURSE = "batching factor over time";

    /** The number of events that circulate: two of the largest batches. */
    private static final int EVENTS = 2 * BatchingController.MAX;
    private static final int POINTS = 40;
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongAdder batches = new LongAdder();
    private final StageGraph graph = new StageGraph("batching");
    private final Stage<Integer> stage;
    private final BatchCost cost;

    /**
     * Starts the stage.
     *
     * @param arguments as from {@link #arguments}
     */
    public OscillatingStage(List<String> arguments) {
        int batch = Integer.parseInt(arguments.get(0));
        cost = new BatchCost(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments.get(1))));
        StageOptions<Integer> options = new StageOptions<Integer>().capacity(EVENTS).ownThreads(1, 1);
        if (batch > 0) {
            options.batch(batch);
        } else {
            options.control(new BatchingController().window(Duration.ofMillis(Long.parseLong(arguments.get(2)))));
        }
        stage = graph.add("oscillating", Integer.class, new Oscillating(), options);
        for (int i = 0; i < EVENTS; i++) {
            require(stage.queue().enqueue(i));
        }
        graph.start();
    }

    /**
     * {@return what the constructor takes}
     *
     * @param batch  the number of events that the stage gets at once; 0 for a controller
     * @param period of the cost
     * @param window of the controller
     */
    static List<String> arguments(int batch, Duration period, Duration window) {
        return List.of(Integer.toString(batch), Long.toString(period.toMillis()), Long.toString(window.toMillis()));
    }

    private static void require(EnqueueResult outcome) {
        if (outcome != EnqueueResult.ACCEPTED) {
            throw new IllegalStateException("the queue says " + outcome);
        }
    }

    @Override
    public void work(Duration time, Recorder recorder) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long handledBefore = stage.handled();
        long batchesBefore = batches.sum();
        long lastTime = start;
        long lastHandled = handledBefore;
        for (int point = 1; point <= POINTS; point++) {
            TimeUnit.NANOSECONDS.sleep(start + time.toNanos() * point / POINTS - System.nanoTime());
            long now = System.nanoTime();
            long handled = stage.handled();
            String at = String.format(Locale.ROOT, "%.2f s", time.toNanos() * point / POINTS / NANOS_PER_SECOND);
            recorder.recordAt(at, RATE_COURSE, (handled - lastHandled) * NANOS_PER_SECOND / (now - lastTime));
            recorder.recordAt(at, BATCH_COURSE, stage.batch());
            lastTime = now;
            lastHandled = handled;
        }
        long handled = lastHandled - handledBefore;
        if (stage.failed() + stage.discarded() > 0 || handled == 0) {
            throw new IOException("the stage has handled " + handled + " events, failed on " + stage.failed()
                    + " and discarded " + stage.discarded());
        }
        recorder.record(RATE, handled * NANOS_PER_SECOND / (lastTime - start));
        recorder.record(BATCH, handled / (double) (batches.sum() - batchesBefore));
    }

    /** {@inheritDoc} The warm-up takes a period of the cost, whose parts differ; its slowest may handle no event. */
    @Override
    public int warmUpParts() {
        return 1;
    }

    @Override
    public void close() {
        // The events go round as long as they can come back: what is left then is discarded by intention.
        graph.stop(Duration.ZERO);
    }

    /** The handler. */
    private final class Oscillating implements StageHandler<Integer> {

        private final long start = System.nanoTime();
        private EventQueue<Integer> own;

        Oscillating() {
        }

        @Override
        public void handleStart(StageContext context) {
            own = context.queue("oscillating", Integer.class);
        }

        @Override
        public void handleEvents(EventBatch<Integer> batch) {
            long now = System.nanoTime();
            long end = now + cost.of(batch.remaining(), now - start);
            for (Integer event = batch.next(); event != null; event = batch.next()) {
                if (own.enqueue(event) == EnqueueResult.FULL) {
                    throw new IllegalStateException("there is no room for an event that was there before");
                }
            }
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            batches.increment();
        }
    }
}

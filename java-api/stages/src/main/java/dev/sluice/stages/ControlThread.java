package dev.sluice.stages;

import dev.sluice.failure.ShutdownWait;
import dev.sluice.hook.HookFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a graph that runs its controllers. */
final class ControlThread implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlThread.class);

    /** Interval between two samples. */
    private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(100);

    /** The present stages of the graph. */
    private final List<Stage<?>> stages;
    private final Thread thread;
    private final StageGraph graph;
    private long before = System.nanoTime();
    private volatile boolean ended;

    ControlThread(StageGraph graph, List<Stage<?>> stages) {
        this.graph = graph;
        this.stages = stages;
        thread = new StageThreadFactory(graph + " controllers").newThread(this);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        long next = System.nanoTime();
        while (!ended) {
            long now = System.nanoTime();
            if (now - next >= 0) {
                step(now);
                // Periods that could not be kept are skipped.
                next = Math.max(next + PERIOD - now, 0) + now;
            }
            LockSupport.parkNanos(this, next - System.nanoTime());
            if (Thread.interrupted()) {
                LOG.debug("an interrupt does not end {}", thread.getName());
            }
        }
    }

    private void step(long now) {
        try {
            GraphController global = graph.controller;
            Map<String, StageSample> samples = new LinkedHashMap<>();
            for (Stage<?> stage : stages) {
                StageSample sample = step(stage, now, global != null);
                if (stage.removal == null && sample != null) {
                    samples.put(stage.name(), sample);
                }
            }
            if (global != null) {
                control(global, now, samples);
            }
        } catch (Throwable e) {
            // For example an OutOfMemoryError while sampling. The next sample may succeed.
            HookFailure.log(LOG, thread.getName() + " failed", e);
        }
    }

    /** {@return the sample of a stage; null if there is none} A failure does not affect the other stages. */
    private static @Nullable StageSample step(Stage<?> stage, long now, boolean sampled) {
        try {
            return stage.controlled.step(now, sampled);
        } catch (Throwable e) {
            // For example an executor that throws. The next step may succeed.
            HookFailure.log(LOG, stage.execution, stage, e);
            return null;
        }
    }

    private void control(GraphController global, long now, Map<String, StageSample> samples) {
        Runtime runtime = Runtime.getRuntime();
        GraphSample sample = new GraphSample(now - before, runtime.totalMemory() - runtime.freeMemory(),
                runtime.maxMemory(), samples, graph.edgeAccounts());
        before = now;
        global.decide(sample).forEach((name, decisions) -> {
            Stage<?> stage = graph.find(name);
            if (stage != null) {
                apply(global, stage, decisions);
            }
        });
    }

    /** Applies decisions. One that fails does not affect those for other stages. */
    private static void apply(GraphController global, Stage<?> stage, List<Decision> decisions) {
        try {
            for (Decision decision : decisions) {
                stage.apply(null, decision);
            }
        } catch (Throwable e) {
            // For example no memory for another thread. The next sample may succeed.
            HookFailure.log(LOG, global, stage, e);
        }
    }

    /**
     * Ends the thread after its current step. If a controller has not returned at the deadline, the thread is
     * interrupted, and half a second later it is no longer waited for.
     *
     * @param deadline by {@link System#nanoTime()}
     */
    void end(long deadline) throws InterruptedException {
        ended = true;
        LockSupport.unpark(thread);
        if (!awaitEnd(deadline)) {
            thread.interrupt();
            if (!awaitEnd(System.nanoTime() + GraphStop.AFTER_INTERRUPT)) {
                LOG.warn("{} is no longer waited for: a controller has not returned", thread.getName());
            }
        }
    }

    private boolean awaitEnd(long deadline) throws InterruptedException {
        long began = System.nanoTime();
        while (thread != Thread.currentThread() && thread.isAlive()) {
            long remaining = deadline - System.nanoTime();
            if (remaining <= 0) {
                return false;
            }
            // Rounded up: a timeout of 0 means forever.
            thread.join(Math.min(TimeUnit.NANOSECONDS.toMillis(remaining) + 1, ShutdownWait.STEP_MILLIS));
            ShutdownWait.requireReturn(graph, thread, began);
        }
        return true;
    }
}

package dev.sluice.stages;

import dev.sluice.failure.ShutdownWait;
import dev.sluice.hook.HookFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
                StageSample sample = stage.controlled.step(now, global != null);
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

    private void control(GraphController global, long now, Map<String, StageSample> samples) {
        Runtime runtime = Runtime.getRuntime();
        GraphSample sample = new GraphSample(now - before, runtime.totalMemory() - runtime.freeMemory(),
                runtime.maxMemory(), samples, graph.edgeAccounts());
        before = now;
        global.decide(sample).forEach((name, decisions) -> {
            Stage<?> stage = graph.find(name);
            if (stage != null) {
                decisions.forEach(decision -> apply(global, stage, decision));
            }
        });
    }

    private void apply(GraphController global, Stage<?> stage, Decision decision) {
        try {
            stage.apply(null, decision);
        } catch (Throwable e) {
            // Such as no memory for another thread. The next sample may do better.
            HookFailure.log(LOG, global, stage, e);
        }
    }

    /**
     * Ends the thread after its current step.
     */
    void end() throws InterruptedException {
        ended = true;
        LockSupport.unpark(thread);
        long began = System.nanoTime();
        while (thread != Thread.currentThread() && thread.isAlive()) {
            thread.join(ShutdownWait.STEP_MILLIS);
            ShutdownWait.requireReturn(graph, thread, began);
        }
    }
}

package dev.sluice.stages;

import dev.sluice.failure.ShutdownWait;
import dev.sluice.hook.HookFailure;
import java.util.List;
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
    private volatile boolean ended;

    ControlThread(String name, List<Stage<?>> stages) {
        this.stages = stages;
        thread = new StageThreadFactory(name + " controllers").newThread(this);
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
            stages.forEach(stage -> stage.controlled.step(now));
        } catch (Throwable e) {
            // For example an OutOfMemoryError while sampling. The next sample may succeed.
            HookFailure.log(LOG, thread.getName() + " failed", e);
        }
    }

    /**
     * Ends the thread after its current step.
     *
     * @param graph for messages
     */
    void end(StageGraph graph) throws InterruptedException {
        ended = true;
        LockSupport.unpark(thread);
        long began = System.nanoTime();
        while (thread != Thread.currentThread() && thread.isAlive()) {
            thread.join(ShutdownWait.STEP_MILLIS);
            ShutdownWait.requireReturn(graph, thread, began);
        }
    }
}

package dev.sluice.stages;

import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stage with threads of its own, as in the paper. */
final class OwnThreads extends Execution implements WorkerThreads.Work {

    private static final Logger LOG = LoggerFactory.getLogger(OwnThreads.class);

    private final WorkerThreads workers;
    private final int initialThreads;
    private final int maxThreads;
    /** Whether it has been logged that a controller asks for too many. */
    private boolean limited;

    OwnThreads(Stage<?> stage, int initialThreads, int maxThreads, ThreadFactory factory) {
        super(stage);
        this.maxThreads = isExclusive() ? 1 : maxThreads;
        this.initialThreads = Math.min(initialThreads, this.maxThreads);
        workers = new WorkerThreads(this, factory);
    }

    @Override
    public void run() {
        workers.wakeOne();
    }

    @Override
    protected void taken() {
        workers.wakeForRest();
    }

    @Override
    protected void start() {
        for (int i = 0; i < initialThreads; i++) {
            workers.add();
        }
    }

    @Override
    protected int threads() {
        return workers.size();
    }

    @Override
    protected void setThreads(int count) {
        if (count > maxThreads + 1 && !limited) {
            // Controllers that try with one more are usual.
            limited = true;
            LOG.warn("a controller asks for {} threads of {}, which has at most {}: see StageOptions.ownThreads",
                    count, stage, maxThreads);
        }
        int target = Math.min(Math.max(count, 1), maxThreads);
        for (int i = workers.size(); i < target; i++) {
            workers.add();
        }
        for (int i = workers.size(); i > target; i--) {
            workers.retireThread();
        }
    }

    @Override
    protected long longestIdle(long now) {
        return workers.longestIdle(now);
    }

    @Override
    protected String description() {
        return "own threads, at most " + maxThreads;
    }

    @Override
    public boolean perform() {
        return runBatch(workers.size()) > 0;
    }

    @Override
    public boolean hasWork() {
        return hasEvent();
    }

    @Override
    protected void end() {
        workers.end();
    }

    @Override
    protected void interrupt() {
        workers.interrupt();
    }

    @Override
    protected boolean awaitEnd(long deadline) throws InterruptedException {
        return workers.awaitEnd(deadline);
    }
}

package dev.sluice.stages;

import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stage with threads of its own, as in the paper. */
final class OwnThreads extends Execution implements WorkerThreads.Work {

    private static final Logger LOG = LoggerFactory.getLogger(OwnThreads.class);

    private final WorkerThreads crew;
    private final int first;
    private final int most;
    /** Whether it has been logged that a controller asks for too many. */
    private boolean limited;

    OwnThreads(Stage<?> stage, int first, int most, ThreadFactory factory) {
        super(stage);
        this.most = isExclusive() ? 1 : most;
        this.first = Math.min(first, this.most);
        crew = new WorkerThreads(this, factory);
    }

    @Override
    public void run() {
        crew.wakeOne();
    }

    @Override
    protected void taken() {
        crew.wakeForRest();
    }

    @Override
    protected void start() {
        for (int i = 0; i < first; i++) {
            crew.add();
        }
    }

    @Override
    protected int threads() {
        return crew.size();
    }

    @Override
    protected void setThreads(int count) {
        if (count > most + 1 && !limited) {
            // Controllers that try with one more are usual.
            limited = true;
            LOG.warn("a controller asks for {} threads of {}, which has at most {}: see StageOptions.ownThreads",
                    count, stage, most);
        }
        int wanted = Math.min(Math.max(count, 1), most);
        for (int i = crew.size(); i < wanted; i++) {
            crew.add();
        }
        for (int i = crew.size(); i > wanted; i--) {
            crew.dismiss();
        }
    }

    @Override
    protected long longestIdle(long now) {
        return crew.longestIdle(now);
    }

    @Override
    protected String description() {
        return "own threads, at most " + most;
    }

    @Override
    public boolean perform() {
        return runBatch(crew.size()) > 0;
    }

    @Override
    public boolean isThere() {
        return hasEvent();
    }

    @Override
    protected void end() {
        crew.end();
    }

    @Override
    protected void interrupt() {
        crew.interrupt();
    }

    @Override
    protected boolean awaitEnd(long deadline) throws InterruptedException {
        return crew.awaitEnd(deadline);
    }
}

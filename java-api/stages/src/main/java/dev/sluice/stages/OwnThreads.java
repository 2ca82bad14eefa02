package dev.sluice.stages;

import java.util.concurrent.ThreadFactory;

/** A stage with threads of its own, as in the paper. */
final class OwnThreads extends Execution implements WorkerThreads.Work {

    private final Stage<?> stage;
    private final WorkerThreads crew;
    private final int first;
    private final int most;

    OwnThreads(Stage<?> stage, int first, int most, ThreadFactory factory) {
        this.stage = stage;
        this.most = stage.exclusive ? 1 : most;
        this.first = Math.min(first, this.most);
        crew = new WorkerThreads(this, factory);
    }

    @Override
    public void run() {
        crew.wakeOne();
    }

    @Override
    void taken() {
        crew.wakeForRest();
    }

    @Override
    void start() {
        for (int i = 0; i < first; i++) {
            crew.add();
        }
    }

    @Override
    int threads() {
        return crew.size();
    }

    @Override
    void setThreads(int count) {
        int wanted = Math.min(Math.max(count, 1), most);
        for (int i = crew.size(); i < wanted; i++) {
            crew.add();
        }
        for (int i = crew.size(); i > wanted; i--) {
            crew.dismiss();
        }
    }

    @Override
    long longestIdle(long now) {
        return crew.longestIdle(now);
    }

    @Override
    String description() {
        return "own threads, at most " + most;
    }

    @Override
    public boolean perform() {
        return stage.handling.run(crew.size()) > 0;
    }

    @Override
    public boolean isThere() {
        return stage.handling.hasEvent();
    }

    @Override
    void end() {
        crew.end();
    }

    @Override
    void interrupt() {
        crew.interrupt();
    }

    @Override
    boolean awaitEnd(long deadline) throws InterruptedException {
        return crew.awaitEnd(deadline);
    }
}

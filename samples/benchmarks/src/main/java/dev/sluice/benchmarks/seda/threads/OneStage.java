package dev.sluice.benchmarks.seda.threads;

import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import java.util.List;

/** One stage with one thread for all tasks, which wait in its queue. */
final class OneStage implements TaskServer {

    private final StageGraph graph = new StageGraph("threads");
    private final List<ReadTask> tasks;
    private final EventQueue<ReadTask> queue;

    OneStage(List<ReadTask> tasks) {
        this.tasks = tasks;
        queue = graph.add("reads", ReadTask.class, new Reading(),
                new StageOptions<ReadTask>().capacity(tasks.size()).ownThreads(1, 1)).queue();
        graph.start();
    }

    @Override
    public void handOver(int number) {
        EnqueueResult outcome = queue.enqueue(tasks.get(number));
        if (outcome != EnqueueResult.ACCEPTED) {
            throw new IllegalStateException("the queue says " + outcome);
        }
    }

    @Override
    public void close() {
        graph.close();
    }

    /** The handler. */
    private static final class Reading implements StageHandler<ReadTask> {

        @Override
        public void handleEvents(EventBatch<ReadTask> batch) {
            for (ReadTask task = batch.next(); task != null; task = batch.next()) {
                task.perform();
            }
        }
    }
}

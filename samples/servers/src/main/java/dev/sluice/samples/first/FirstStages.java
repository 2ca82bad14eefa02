package dev.sluice.samples.first;

import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import java.time.Duration;

/** Two stages: the first one squares numbers, the second one adds the squares up. */
public final class FirstStages {

    private static final class Square implements StageHandler<Long> {

        private EventQueue<Long> sums;

        @Override
        public void handleStart(StageContext context) {
            sums = context.queue("sum", Long.class);
        }

        @Override
        public void handleEvents(EventBatch<Long> batch) throws InterruptedException {
            while (batch.remaining() > 0) {
                long number = batch.next();
                // Waits while the next stage is behind. Then this one falls behind, too, and its queue fills.
                EnqueueResult outcome = sums.enqueue(number * number, Duration.ofSeconds(1));
                if (outcome != EnqueueResult.ACCEPTED) {
                    throw new IllegalStateException("the square of " + number + " is lost: " + outcome);
                }
            }
        }
    }

    private static final class Sum implements StageHandler<Long> {

        private long sum;

        @Override
        public void handleEvents(EventBatch<Long> batch) {
            while (batch.remaining() > 0) {
                sum += batch.next();
            }
        }

        @Override
        public boolean isExclusive() {
            return true;
        }

        @Override
        public void handleStop() {
            System.out.println("sum of the squares: " + sum);
        }
    }

    public static void main(String[] args) {
        try (StageGraph graph = new StageGraph("squares")) {
            EventQueue<Long> numbers = graph.add("square", Long.class, new Square(),
                    new StageOptions<Long>().capacity(100).ownThreads(2, 2)).queue();
            graph.add("sum", Long.class, new Sum());
            graph.start();
            int rejected = 0;
            for (long number = 1; number <= 10_000; number++) {
                if (numbers.enqueue(number) != EnqueueResult.ACCEPTED) {
                    rejected++;
                }
            }
            System.out.println("rejected: " + rejected);
            graph.stop(Duration.ofSeconds(5));
        }
    }
}

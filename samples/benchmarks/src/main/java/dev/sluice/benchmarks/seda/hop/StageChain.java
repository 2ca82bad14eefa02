package dev.sluice.benchmarks.seda.hop;

import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import java.util.function.Consumer;

/** Stages of Sluice. */
final class StageChain implements Chain {

    private static final String NAME = "stage ";

    private final StageGraph graph = new StageGraph("hop");
    private final EventQueue<HopEvent> first;
    private final Runnable end;

    /**
     * Starts it.
     *
     * @param stages   how many
     * @param places   of each queue
     * @param arrivals where it leads to
     * @param running  chooses who runs a stage
     * @param end      is run after the graph has been stopped
     */
    StageChain(int stages, int places, Arrivals arrivals, Consumer<StageOptions<HopEvent>> running, Runnable end) {
        this.end = end;
        for (int i = 0; i < stages; i++) {
            StageOptions<HopEvent> options = new StageOptions<HopEvent>().capacity(places);
            running.accept(options);
            graph.add(NAME + i, HopEvent.class, new Passing(i + 1 < stages ? NAME + (i + 1) : null, arrivals), options);
        }
        graph.start();
        first = queueOfFirst(graph);
    }

    @SuppressWarnings("unchecked") // All stages take the same.
    private static EventQueue<HopEvent> queueOfFirst(StageGraph graph) {
        return (EventQueue<HopEvent>) graph.stages().get(0).queue();
    }

    @Override
    public void enqueue(HopEvent event) {
        require(first.enqueue(event));
    }

    private static void require(EnqueueResult outcome) {
        if (outcome != EnqueueResult.ACCEPTED) {
            throw new IllegalStateException("the queue says " + outcome);
        }
    }

    @Override
    public void close() {
        graph.close();
        end.run();
    }

    /** The handler of each stage. */
    private static final class Passing implements StageHandler<HopEvent> {

        private final String nextName;
        private final Arrivals arrivals;
        private EventQueue<HopEvent> next;

        Passing(String nextName, Arrivals arrivals) {
            this.nextName = nextName;
            this.arrivals = arrivals;
        }

        @Override
        public void handleStart(StageContext context) {
            if (nextName != null) {
                next = context.queue(nextName, HopEvent.class);
            }
        }

        @Override
        public void handleEvents(EventBatch<HopEvent> batch) {
            for (HopEvent event = batch.next(); event != null; event = batch.next()) {
                event.handle();
                if (next == null) {
                    arrivals.arrive(event);
                } else {
                    require(next.enqueue(event));
                }
            }
        }

        @Override
        public void handleFailure(HopEvent event, Throwable cause) {
            arrivals.fail(cause.toString());
        }

        /** Keeps events in order, whichever thread runs the stage. */
        @Override
        public boolean isExclusive() {
            return true;
        }
    }
}

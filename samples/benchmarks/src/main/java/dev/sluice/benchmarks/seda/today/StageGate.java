package dev.sluice.benchmarks.seda.today;

import dev.sluice.stages.BacklogController;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One stage, which makes the pages in virtual threads, and refuses what would take too long. */
final class StageGate implements Gate {

    private static final int CAPACITY = 8192;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final StageGraph graph = new StageGraph("pages");
    private final EventQueue<CompletableFuture<byte[]>> queue;

    /** Starts the stage. */
    StageGate(Gate page, int limit, Duration target) {
        @SuppressWarnings("unchecked")
        Class<CompletableFuture<byte[]>> type =
                (Class<CompletableFuture<byte[]>>) (Class<?>) CompletableFuture.class;
        queue = graph.add("page", type, new Pages(page), new StageOptions<CompletableFuture<byte[]>>()
                .capacity(CAPACITY).batch(1).executor(threads, limit)
                .control(new BacklogController(target))).queue();
        graph.start();
    }

    @Override
    public byte[] page() throws IOException, InterruptedException {
        CompletableFuture<byte[]> page = new CompletableFuture<>();
        return queue.enqueue(page) == EnqueueResult.ACCEPTED ? GateKind.result(page) : null;
    }

    @Override
    public void close() {
        graph.close();
        threads.close();
    }

    /** The handler. */
    private record Pages(Gate page) implements StageHandler<CompletableFuture<byte[]>> {

        @Override
        public void handleEvents(EventBatch<CompletableFuture<byte[]>> batch)
                throws IOException, InterruptedException {
            for (CompletableFuture<byte[]> event = batch.next(); event != null; event = batch.next()) {
                event.complete(page.page());
            }
        }

        @Override
        public void handleFailure(CompletableFuture<byte[]> event, Throwable cause) {
            if (event != null) {
                event.completeExceptionally(cause);
            }
        }

        @Override
        public void handleDiscarded(CompletableFuture<byte[]> event) {
            event.complete(null);
        }
    }
}

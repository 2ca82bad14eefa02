package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.eventloop.OtherThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler that waits, for a disk or for another thread, while others of its events wait for a thread. */
class WaitingHandlerTest {

    private static final int THREADS = 4;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final ThreadFactory factory = task -> {
        Thread thread = new Thread(task, "thread of a test");
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    };

    /** None of them returns before the last one has been given to a thread, and nothing else is enqueued until then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachEventOfABurstGetsAThreadThatSleeps(boolean shared) {
        CountDownLatch inside = new CountDownLatch(THREADS);
        try (StagePool pool = new StagePool("pool of a test", THREADS, factory);
                StageGraph graph = new StageGraph("graph of a test")) {
            StageOptions<Integer> options = new StageOptions<Integer>().batch(1);
            Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
                batch.next();
                inside.countDown();
                OtherThread.await(inside);
            }, shared ? options.pool(pool) : options.ownThreads(THREADS, THREADS, factory));
            graph.start();
            assertEquals(THREADS, threads.size());
            threads.forEach(OtherThread::awaitWaiting);
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueueAll(List.of(1, 2, 3, 4)));
            OtherThread.await(inside);
        }
    }
}

package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.eventloop.OtherThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A stage on an event loop does not delay other handlers of the loop. */
class LoopStageTest {

    private static final int THREADS = 3;
    private static final int WARM_UP = 1_000;
    private static final int EVENTS = 100_000;

    /** Whatever others do, the loop thread neither waits for a monitor nor parks. It waits in the kernel alone. */
    @Test
    void theLoopThreadWaitsForNoLock() throws Exception {
        AtomicReference<Thread> loopThread = new AtomicReference<>();
        try (StageKind.Scene scene = new StageKind.Scene(); StageGraph graph = new StageGraph("graph of a test")) {
            Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
                loopThread.set(Thread.currentThread());
                while (batch.next() != null) {
                    Thread.onSpinWait();
                }
            }, StageKind.LOOP.<Integer>options(scene).capacity(64).admission(new Credits<>(1000, event -> 1)));
            graph.start();
            // Classes are loaded under locks.
            enqueue(graph, stage, WARM_UP);
            ThreadInfo before = info(loopThread.get());
            enqueue(graph, stage, EVENTS);
            ThreadInfo after = info(loopThread.get());
            assertEquals(before.getBlockedCount(), after.getBlockedCount());
            assertEquals(before.getWaitedCount(), after.getWaitedCount());
            assertEquals(THREADS * (WARM_UP + EVENTS), stage.handled());
        }
    }

    private static ThreadInfo info(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
    }

    /** Enqueues by several threads, in each way, waiting for space. */
    private static void enqueue(StageGraph graph, Stage<Integer> stage, int events) throws Exception {
        List<OtherThread<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(OtherThread.start(() -> {
                for (int event = 0; event < events; event++) {
                    if ((event & 1) == 0) {
                        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(event, StageContract.LIMIT));
                    } else {
                        while (stage.queue().enqueue(event) != EnqueueResult.ACCEPTED) {
                            Thread.yield();
                        }
                    }
                }
                return null;
            }));
        }
        for (OtherThread<Void> thread : threads) {
            thread.result();
        }
        graph.drain(StageContract.LIMIT);
    }
}

package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.testing.Depth;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A hop allocates nothing, once it has been compiled: neither in the thread that enqueues nor in the stage's. */
@Tag(Depth.OPTIMIZED)
class HopAllocationTest {

    private static final int WARM_UP = 20_000;
    private static final int HOPS = 50_000;
    private static final double BYTES_PER_HOP = 0.5;

    private final AtomicLong handled = new AtomicLong();
    private volatile Thread handler;

    private void handle(EventBatch<String> batch) {
        handler = Thread.currentThread();
        while (batch.next() != null) {
            handled.incrementAndGet();
        }
    }

    /** How an event is enqueued. */
    @FunctionalInterface
    private interface Way {

        EnqueueResult enqueue(EventQueue<String> queue);
    }

    // What an executor allocates for a task is its own affair.
    // A task of a loop has a place of its own in a list that grows, so an event alone costs a few bytes there. Java
    // does not report what virtual threads allocate, and the stack of each one that waits becomes an object.
    @ParameterizedTest
    @EnumSource(names = {"LOOP", "OWN_VIRTUAL_THREADS", "TASKS"}, mode = EnumSource.Mode.EXCLUDE)
    void aHopAllocatesNothing(StageKind kind) throws Exception {
        assertAllocatesNothing(kind, 1, queue -> queue.enqueue("event"));
    }

    @Test
    void severalTogetherAllocateNothing() throws Exception {
        List<String> events = List.of("first", "second", "third");
        assertAllocatesNothing(StageKind.DIRECT, events.size(), queue -> queue.enqueueAll(events));
    }

    private void assertAllocatesNothing(StageKind kind, int events, Way way) throws Exception {
        try (StageKind.Scene scene = new StageKind.Scene(); StageGraph graph = new StageGraph("hops")) {
            StageOptions<String> options = kind.options(scene);
            Stage<String> stage = graph.add("hop", String.class, this::handle,
                    options.control(new ThreadPoolController()).admission(new Credits<>(9, event -> 1)));
            graph.start();
            hop(stage, WARM_UP, events, way);
            double perHop = Double.MAX_VALUE;
            // How soon the compiler has its last word is its own affair, so the measurement is repeated until it has.
            long end = System.nanoTime() + StageContract.LIMIT.toNanos();
            while (perHop > BYTES_PER_HOP && System.nanoTime() - end < 0) {
                List<Thread> threads = threads();
                long before = allocated(threads);
                hop(stage, HOPS, events, way);
                perHop = (double) (allocated(threads) - before) / HOPS;
            }
            double measured = perHop;
            assertTrue(measured <= BYTES_PER_HOP, () -> measured + " bytes per hop");
            assertEquals(stage.accepted(), stage.handled());
        }
    }

    private void hop(Stage<String> stage, int count, int events, Way way) {
        long end = handled.get() + (long) count * events;
        for (int i = 0; i < count; i++) {
            while (way.enqueue(stage.queue()) != EnqueueResult.ACCEPTED) {
                Thread.onSpinWait();
            }
        }
        OtherThread.await(() -> handled.get() == end && stage.accepted() == stage.handled());
    }

    /** {@return this one and those of the stage} */
    private List<Thread> threads() {
        List<Thread> threads = new ArrayList<>(List.of(Thread.currentThread()));
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("hop ") || thread.getName().contains(" of a test"))
                .forEach(threads::add);
        assertTrue(threads.contains(handler), "it was handled by " + handler);
        return threads;
    }

    private static long allocated(List<Thread> threads) {
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.stream().mapToLong(thread -> bean.getThreadAllocatedBytes(thread.getId())).sum();
    }
}

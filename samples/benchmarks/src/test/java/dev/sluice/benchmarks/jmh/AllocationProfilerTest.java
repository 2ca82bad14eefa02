package dev.sluice.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;

/** Whose bytes are counted. */
class AllocationProfilerTest {

    private static final int OPERATIONS = 4;
    private static final int BYTES = 64 << 20;

    private final AllocationProfiler profiler = new AllocationProfiler();
    /** So that the compiler cannot leave out what is allocated. */
    private volatile byte[] last;

    private void allocate() {
        for (int i = 0; i < 64; i++) {
            last = new byte[BYTES / 64];
        }
        assertEquals(BYTES / 64, last.length);
    }

    private double perOperation() {
        IterationResult result = new IterationResult(null, null, new IterationResultMetaData(OPERATIONS, OPERATIONS));
        return profiler.afterIteration(null, null, result).iterator().next().getScore();
    }

    @Test
    void countsThreadsThatHaveEnded() throws Exception {
        profiler.beforeIteration(null, null);
        Thread thread = new Thread(this::allocate);
        thread.start();
        thread.join();
        // The virtual machine adds the bytes of a thread that ends to its total shortly after that.
        Patience.until("the bytes of the thread are counted", () -> perOperation() > BYTES / OPERATIONS / 2.0);
        // Others in this virtual machine may allocate, too, but not as much.
        assertEquals((double) BYTES / OPERATIONS, perOperation(), BYTES / OPERATIONS / 4.0);
    }

    @Test
    void countsThreadsThatRun() throws Exception {
        try (var executor = Executors.newSingleThreadExecutor()) {
            profiler.beforeIteration(null, null);
            executor.submit(this::allocate).get();
            assertEquals((double) BYTES / OPERATIONS, perOperation(), BYTES / OPERATIONS / 4.0);
        }
    }

    @Test
    void doesNotCountJmhItself() {
        profiler.beforeIteration(null, null);
        allocate();
        assertEquals(0, perOperation(), BYTES / OPERATIONS / 4.0);
    }
}

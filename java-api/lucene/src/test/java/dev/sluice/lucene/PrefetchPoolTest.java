package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.sun.management.ThreadMXBean;
import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The memory of what a directory reads ahead. */
class PrefetchPoolTest extends LeakChecked {

    private static final int MANY = 50;

    private FileLoop loop;

    @BeforeEach
    void open() throws IOException {
        loop = own(FileLoop.open());
    }

    private PrefetchPool ring(long memory) {
        return new PrefetchRing(loop, memory);
    }

    private static List<Prefetch> take(PrefetchPool pool, int times) {
        List<Prefetch> taken = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Prefetch prefetch = pool.take(BlockPool.UNIT, 1);
            assertNotNull(prefetch);
            taken.add(prefetch);
        }
        return taken;
    }

    /** The thread that gives one back copies its bytes then, and must not fail. */
    @Test
    void batchesAreGivenBackWithoutMemory() {
        PrefetchPool pool = ring((long) MANY * BlockPool.UNIT);
        take(pool, MANY);
        List<FileBatch> batches = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            batches.add(new FileBatch(loop, 1));
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            pool.giveBack(batches.get(i));
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
    }

    /** The same applies to the last bytes of a range. */
    @Test
    void buffersAreGivenBackWithoutMemory() {
        PrefetchPool pool = new PrefetchBuffers(loop, (long) MANY * Prefetches.MAX_LENGTH);
        List<Prefetch> taken = take(pool, MANY);
        assertNull(pool.take(BlockPool.UNIT, 1));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            pool.ended(taken.get(i));
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
        assertEquals(new HashSet<>(taken), new HashSet<>(take(pool, MANY)));
    }

    @Test
    void memoryThatIsAboutToBeReadToIsNotGivenAgain() {
        PrefetchPool pool = ring((long) MANY * BlockPool.UNIT);
        take(pool, MANY);
        assertNull(pool.take(BlockPool.UNIT, 1));
    }

    @Test
    void rangesBeginAtMultiplesOfTheirUnit() {
        PrefetchPool pool = ring(2 * BlockPool.UNIT);
        assertNotNull(pool.take(512, 512));
        assertNotNull(pool.take(BlockPool.UNIT, BlockPool.UNIT));
        assertNull(pool.take(512, 512));
    }

    @Test
    void poolsWithoutMemoryAreExhausted() {
        for (long memory : new long[] {0, BlockPool.UNIT - 1}) {
            PrefetchPool pool = ring(memory);
            assertEquals(0, pool.maxLength());
            assertNull(pool.take(0, 1));
            assertNull(new PrefetchBuffers(loop, memory).take(BlockPool.UNIT, 1));
        }
    }

    @Test
    void rangesAreNotLongerThanTheMemory() {
        assertEquals(3 * BlockPool.UNIT, ring(4 * BlockPool.UNIT - 1).maxLength());
        assertEquals(Prefetches.MAX_LENGTH, ring(1L << 40).maxLength());
    }
}

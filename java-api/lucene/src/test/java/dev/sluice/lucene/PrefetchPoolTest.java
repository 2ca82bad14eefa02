package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.sun.management.ThreadMXBean;
import dev.sluice.files.FileLoop;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The prefetches of a directory, which are given back. */
class PrefetchPoolTest extends LeakChecked {

    private static final int MANY = 50;

    private PrefetchPool pool;

    @BeforeEach
    void open() throws IOException {
        pool = new PrefetchPool(own(FileLoop.open()), BlockPool.UNIT, MANY);
    }

    /** Takes as many as there are, and counts them among those in use. */
    private List<Prefetch> take() {
        List<Prefetch> taken = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Prefetch prefetch = pool.take();
            assertNotNull(prefetch);
            taken.add(prefetch);
        }
        taken.forEach(pool::started);
        return taken;
    }

    /** The thread that gives one back has copied its bytes already, and must not fail. */
    @Test
    void prefetchesAreGivenBackWithoutMemory() {
        List<Prefetch> taken = take();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            pool.giveBack(taken.get(i));
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
        assertEquals(new HashSet<>(taken), new HashSet<>(take()));
    }
}

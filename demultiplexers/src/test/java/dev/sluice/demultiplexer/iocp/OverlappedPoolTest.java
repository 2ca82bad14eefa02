package dev.sluice.demultiplexer.iocp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.Bindings;
import dev.sluice.handle.LeakChecked;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The blocks of overlapped calls, which need nothing of Windows. */
class OverlappedPoolTest extends LeakChecked {

    /** More than several slabs have. */
    private static final int MANY = 1_000;

    private OverlappedPool pool;

    @BeforeEach
    void open() {
        pool = own(new OverlappedPool(Bindings.current().memory()));
    }

    private OverlappedPool.Block[] takeMany() {
        OverlappedPool.Block[] blocks = new OverlappedPool.Block[MANY];
        for (int i = 0; i < MANY; i++) {
            blocks[i] = pool.take(null);
        }
        return blocks;
    }

    /** A call that has ended for lack of memory must not need any. */
    @Test
    void blocksAreReleasedWithoutMemory() {
        OverlappedPool.Block[] blocks = takeMany();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i += 2) {
            pool.release(blocks[i]);
            pool.releaseAfterFailure(blocks[i + 1]);
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
    }

    @Test
    void blockIsTakenOnce() {
        OverlappedPool.Block[] blocks = takeMany();
        for (int i = 0; i < MANY; i += 2) {
            pool.release(blocks[i]);
            pool.releaseAfterFailure(blocks[i + 1]);
        }
        Set<Long> addresses = new HashSet<>();
        for (OverlappedPool.Block block : takeMany()) {
            addresses.add(block.address());
            assertSame(block, pool.at(block.address()));
        }
        assertEquals(MANY, addresses.size());
    }

    @Test
    void blockOfFailedCallIsTakenLast() {
        OverlappedPool.Block failed = pool.take(null);
        OverlappedPool.Block completed = pool.take(null);
        pool.releaseAfterFailure(failed);
        pool.release(completed);
        assertSame(completed, pool.take(null));
        // The first slab has 64 blocks, of which one is in use.
        for (int i = 0; i < 62; i++) {
            assertNotSame(failed, pool.take(null));
        }
        assertSame(failed, pool.take(null));
        // There is no free block.
        pool.releaseAfterFailure(failed);
        assertSame(failed, pool.take(null));
        pool.release(failed);
        assertSame(failed, pool.take(null));
    }
}

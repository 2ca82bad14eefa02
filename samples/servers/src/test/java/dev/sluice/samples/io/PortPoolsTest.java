package dev.sluice.samples.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.server.ResizablePool;
import dev.sluice.samples.server.UnusableOptionException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** All pools have more threads, or none of them. */
class PortPoolsTest {

    private static final int MAXIMUM = 10;

    /** Counts threads, and has none. */
    private static final class Counted implements ResizablePool {

        private int threads = 2;

        @Override
        public int threads() {
            return threads;
        }

        @Override
        public int busy() {
            return 0;
        }

        @Override
        public void resize(int count) {
            if (count > MAXIMUM) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            threads = count;
        }
    }

    private final Counted first = new Counted();
    private final Counted other = new Counted();
    private final PortPools pools = new PortPools(first,
            Map.of(8081, new PortPools.Other(ConcurrencyStrategy.THREAD_POOL, other)));

    private void assertThreads(int expectedFirst, int expectedOther) {
        assertEquals(expectedFirst, first.threads());
        assertEquals(expectedOther, other.threads());
    }

    @Test
    void growthCanBeUndone() throws Exception {
        Runnable undo = pools.grow(new ThreadCounts(3, 1));
        assertThreads(3, 2);
        undo.run();
        assertThreads(2, 2);
    }

    @Test
    void refusedThreadOfOnePoolLeavesAllAsTheyWere() {
        assertThrows(UnusableOptionException.class, () -> pools.grow(new ThreadCounts(3, MAXIMUM + 1)));
        assertThreads(2, 2);
    }
}

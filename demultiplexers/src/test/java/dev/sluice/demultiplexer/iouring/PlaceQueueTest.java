package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The numbers of places, in order and without memory. */
class PlaceQueueTest {

    private static final int MANY = 1_000;

    private final PlaceQueue queue = new PlaceQueue();

    private void assertRemoves(int... numbers) {
        for (int number : numbers) {
            assertFalse(queue.isEmpty());
            assertEquals(number, queue.first());
            assertEquals(number, queue.remove());
        }
        assertTrue(queue.isEmpty());
        assertEquals(0, queue.size());
    }

    @Test
    void firstNumberIsRemovedFirst() {
        queue.ensureCapacity(5);
        queue.add(3);
        queue.add(0);
        queue.add(4);
        assertEquals(3, queue.size());
        assertRemoves(3, 0, 4);
        queue.add(0);
        assertRemoves(0);
    }

    @Test
    void numberIsAddedOnce() {
        queue.ensureCapacity(3);
        queue.add(2);
        queue.add(2);
        queue.add(1);
        queue.add(2);
        queue.add(1);
        assertEquals(2, queue.size());
        assertEquals(2, queue.remove());
        queue.add(2);
        assertRemoves(1, 2);
    }

    @Test
    void numbersStayWhenPlacesAreAdded() {
        for (int i = 0; i < MANY; i++) {
            queue.ensureCapacity(i + 1);
            queue.add(i);
        }
        assertEquals(MANY, queue.size());
        for (int i = 0; i < MANY; i++) {
            assertEquals(i, queue.remove());
        }
        assertTrue(queue.isEmpty());
    }

    /** What could not be added would never be waited for, or never be cancelled. */
    @Test
    void numbersAreAddedWithoutMemory() {
        queue.ensureCapacity(MANY);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            queue.add(i);
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
        assertEquals(MANY, queue.size());
    }
}

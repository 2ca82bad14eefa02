package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.stages.EnqueueResult;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The requests of a file, in order and without memory. */
class FileRequestsTest {

    private static final int MANY = StagedFile.MAX_PENDING_REQUESTS;

    private final FileRequests requests = new FileRequests();

    /** Otherwise those that were accepted would be lost, and the file would never be closed. */
    @Test
    void requestsAreAddedWithoutMemory() {
        FileRequest stat = new FileRequest(FileOperation.STAT, null, 0, null);
        FileRequest close = new FileRequest(FileOperation.CLOSE, null, 0, null);
        // What is used for the first time takes memory.
        assertEquals(EnqueueResult.ACCEPTED, requests.add(stat));
        assertSame(stat, requests.take());
        assertFalse(requests.end());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int accepted = 0;
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            accepted += requests.add(stat) == EnqueueResult.ACCEPTED ? 1 : 0;
        }
        EnqueueResult rejected = requests.add(stat);
        EnqueueResult closing = requests.add(close);
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
        assertEquals(MANY, accepted);
        assertEquals(EnqueueResult.FULL, rejected);
        assertEquals(EnqueueResult.ACCEPTED, closing);
        assertEquals(EnqueueResult.CLOSED, requests.add(close));
        for (int i = 0; i < MANY; i++) {
            assertSame(stat, requests.take());
            assertFalse(requests.end());
        }
        assertTrue(requests.isAtLast());
        assertSame(close, requests.take());
        assertTrue(requests.end());
        assertFalse(requests.hasNext());
        assertNull(requests.take());
    }
}

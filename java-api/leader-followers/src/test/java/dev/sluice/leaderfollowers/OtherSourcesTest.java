package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Pools whose sources are no handle sets. */
class OtherSourcesTest extends PoolTest {

    /** A source that never reports an event. */
    private static final class SilentSource implements EventSource {

        private final Waiter waiter;

        /** Creates a source with the given waiter; null if there is no memory for one. */
        SilentSource(Waiter waiter) {
            this.waiter = waiter;
        }

        @Override
        public boolean isConcurrent() {
            return false;
        }

        @Override
        public Waiter newWaiter() {
            if (waiter == null) {
                throw new OutOfMemoryError("thrown by the test");
            }
            return waiter;
        }

        @Override
        public void wakeUp() {
            throw new AssertionError("no thread waits");
        }

        @Override
        public void close() {
            throw new AssertionError("its pool has not been created");
        }
    }

    private MultipleLeadersPool leaders;

    private void open(int threads, PromotionOrder order, EventSource source) {
        leaders = ownPool(new MultipleLeadersPool(order, List.of(source)));
        own(new Members(leaders, threads));
    }

    @Test
    void elementsAreHandledByManyThreadsAtOnceAndNoneTwice() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        Set<Integer> handled = ConcurrentHashMap.newKeySet();
        AtomicReference<String> failed = new AtomicReference<>();
        CountDownLatch together = new CountDownLatch(4);
        open(4, PromotionOrder.LIFO, new QueueSource<>(queue, new ElementHandler<Integer>() {
            @Override
            public void handleElement(Integer element) throws Exception {
                if (element < 4) {
                    together.countDown();
                    OtherThread.await(together);
                }
                assertTrue(handled.add(element));
                if (element == 7) {
                    throw new IOException("on purpose");
                }
            }

            @Override
            public void handleFailure(Integer element, Throwable cause) {
                failed.set(element + " " + cause.getMessage());
            }
        }));
        for (int i = 0; i < 1000; i++) {
            queue.add(i);
        }
        OtherThread.await(() -> handled.size() == 1000 && failed.get() != null);
        assertEquals("7 on purpose", failed.get());
    }

    @Test
    void waitersOfAPoolThatCannotBeCreatedAreClosed() {
        AtomicInteger closed = new AtomicInteger();
        EventSource.Waiter waiter = new EventSource.Waiter() {
            @Override
            public PendingEvent await(long timeoutNanos) {
                return null;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        List<EventSource> sources = List.of(new SilentSource(waiter), new SilentSource(null));
        assertThrows(OutOfMemoryError.class, () -> new MultipleLeadersPool(PromotionOrder.FIFO, sources));
        assertEquals(1, closed.get());
    }

    @Test
    void poolNeedsASource() {
        assertThrows(IllegalArgumentException.class, () -> new MultipleLeadersPool(PromotionOrder.FIFO, List.of()));
    }
}

package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.reactor.Recorder;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.time.Duration;
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
    void timersAreCancelledAndRepeated() throws Exception {
        TimerSource timers = new TimerSource(TimerQueue.heap());
        open(2, PromotionOrder.FIFO, timers);
        AtomicInteger cancelled = new AtomicInteger();
        Object token = new Object();
        Timer never = timers.schedule(t -> cancelled.incrementAndGet(), token, Duration.ofDays(1000 * 365));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch repeated = new CountDownLatch(20);
        Recorder handler = new Recorder("periodic").onTimeout(() -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            repeated.countDown();
            inside.decrementAndGet();
            throw new IOException("on purpose");
        });
        Timer periodic = timers.schedule(handler, token, Duration.ZERO, Duration.ofMillis(1));
        OtherThread.await(repeated);
        assertTrue(handler.failures().size() > 1);
        assertTrue(periodic.cancel());
        assertTrue(never.cancel());
        assertFalse(never.cancel());
        assertEquals(1, most.get());
        assertEquals(0, cancelled.get());
        assertThrows(IllegalArgumentException.class, () ->
                timers.schedule(t -> { }, null, Duration.ZERO, Duration.ZERO));
        close(leaders);
        assertThrows(IllegalStateException.class, () -> timers.schedule(t -> { }, null, Duration.ZERO));
    }

    @Test
    void poolNeedsASource() {
        assertThrows(IllegalArgumentException.class, () -> new MultipleLeadersPool(PromotionOrder.FIFO, List.of()));
    }
}

package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The waits on a queue, one by one. */
class QueueSourceTest {

    private static final int INTERRUPTS = 3;
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<Integer> handled = new ArrayList<>();

    private EventSource source(BlockingQueue<Integer> queue) {
        return new QueueSource<>(queue, handled::add);
    }

    @Test
    void wakeUpCountsForTheNextWaitAndForNoOther() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        EventSource source = source(queue);
        OtherThread.run(() -> {
            try (EventSource.Waiter waiter = source.newWaiter()) {
                source.wakeUp();
                source.wakeUp();
                assertNull(waiter.await(-1));
                queue.add(1);
                waiter.await(-1).process();
            }
        });
        assertEquals(List.of(1), handled);
    }

    @Test
    void closeEndsTheWait() throws Exception {
        EventSource source = source(new LinkedBlockingQueue<>());
        OtherThread<PendingEvent> waiting = OtherThread.start(() -> source.newWaiter().await(-1));
        OtherThread.awaitWaiting(waiting.thread());
        source.close();
        assertNull(waiting.result());
    }

    @Test
    void wakeUpThatComesWithAnElementDoesNotInterruptItsHandler() throws Exception {
        WakingQueue queue = new WakingQueue();
        queue.source = source(queue);
        OtherThread.run(() -> {
            try (EventSource.Waiter waiter = queue.source.newWaiter()) {
                PendingEvent event = waiter.await(-1);
                assertFalse(Thread.currentThread().isInterrupted());
                event.process();
            }
        });
        assertEquals(List.of(1), handled);
    }

    /** A queue that returns an element and causes a wake-up during the same wait. */
    private static final class WakingQueue extends LinkedBlockingQueue<Integer> {

        private static final long serialVersionUID = 1;
        private transient EventSource source;

        @Override
        public Integer poll(long timeout, TimeUnit unit) {
            source.wakeUp();
            return 1;
        }
    }

    @Test
    void interruptsDoNotMakeTheWaitLonger() throws Exception {
        InterruptedQueue queue = new InterruptedQueue();
        EventSource source = source(queue);
        OtherThread.run(() -> {
            try (EventSource.Waiter waiter = source.newWaiter()) {
                assertNull(waiter.await(LONG.toNanos()));
                assertTrue(Thread.interrupted());
            }
        });
        assertEquals(INTERRUPTS + 1, queue.timeouts.size());
        assertTrue(queue.timeouts.get(0) <= LONG.toNanos());
        for (int i = 1; i <= INTERRUPTS; i++) {
            assertTrue(queue.timeouts.get(i) < queue.timeouts.get(i - 1), queue.timeouts::toString);
        }
    }

    /** Interrupts the first waits, and then lets the time be over. */
    private static final class InterruptedQueue extends LinkedBlockingQueue<Integer> {

        private static final long serialVersionUID = 1;
        private final transient List<Long> timeouts = new ArrayList<>();

        @Override
        public Integer poll(long timeout, TimeUnit unit) throws InterruptedException {
            timeouts.add(unit.toNanos(timeout));
            if (timeouts.size() <= INTERRUPTS) {
                Thread.currentThread().interrupt();
                return super.poll(timeout, unit);
            }
            return null;
        }
    }
}

package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.deadline.Timeout;
import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.eventloop.spi.ThreadingModel;
import dev.sluice.testing.Depth;
import dev.sluice.timer.TimerQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs may keep submitting tasks to a closed loop: that must not retain memory. */
@Tag(Depth.IN_QUICK)
class RefusedTaskTest {

    private static final int MANY = 100_000;

    private final AtomicInteger ran = new AtomicInteger();

    /** A loop without events. */
    private static final class Idle extends EventLoop {

        Idle() {
            super(TimerQueue.heap(), System::nanoTime, ThreadingModel.SINGLE_THREADED, null);
        }

        @Override
        protected EventBatch newBatch() {
            throw new AssertionError("no thread waits");
        }

        @Override
        protected void cancelAll(EventBatch batch) {
        }

        @Override
        protected void dispose() {
        }

        @Override
        protected void failed(Object handler, Throwable cause) {
        }

        @Override
        public void wakeUp() {
        }
    }

    private static Loop loop(ThreadingModel threads) {
        boolean movable = threads == ThreadingModel.SINGLE_THREADED;
        return threads == ThreadingModel.MULTI_THREADED
                ? new MultiThreadedLoop(new Idle(), TimerQueue.heap(), System::nanoTime, null)
                : new SingleThreadedLoop(new Idle(), movable, TimerQueue.heap(), System::nanoTime, null);
    }

    @ParameterizedTest
    @EnumSource
    void isNotKept(ThreadingModel threads) {
        Loop loop = loop(threads);
        assertTrue(loop.work.execute(ran::incrementAndGet));
        loop.close();
        assertEquals(1, ran.get());
        for (int i = 0; i < MANY; i++) {
            assertFalse(loop.work.execute(ran::incrementAndGet));
        }
        assertEquals(Timeout.FOREVER, loop.work.waitTime(Timeout.FOREVER), "refused tasks have places in the queue");
        assertEquals(1, ran.get());
    }
}

package dev.sluice.eventloop;

import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.eventloop.spi.ThreadingModel;
import dev.sluice.jcstress.BoundedWait;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** An event loop to which nothing happens but tasks and wake-ups, for one thread at a time or, by chance, for many. */
final class StandInLoop extends EventLoop {

    private static final ThreadingModel[] KINDS = {ThreadingModel.SINGLE_THREADED, ThreadingModel.MULTI_THREADED};

    private final BoundedWait wait = new BoundedWait();

    StandInLoop() {
        this(KINDS[ThreadLocalRandom.current().nextInt(KINDS.length)]);
    }

    StandInLoop(ThreadingModel threads) {
        super(TimerQueue.heap(), System::nanoTime, threads, null);
    }

    @Override
    protected EventBatch newBatch() {
        return new Waits();
    }

    /** Waits that bring nothing. */
    private final class Waits implements EventBatch {

        @Override
        public int await(long timeoutNanos) {
            wait.await(timeoutNanos);
            return 0;
        }

        @Override
        public int dispatch() {
            return 0;
        }

        @Override
        public void leave() {
            // There is nothing to leave.
        }

        @Override
        public void close() {
            // It has nothing of the system's.
        }
    }

    @Override
    protected void cancelAll(EventBatch batch) {
        // Nothing is registered.
    }

    @Override
    protected void dispose() {
        // It has nothing of the system's.
    }

    @Override
    protected void failed(Object handler, Throwable cause) {
        throw new IllegalStateException(cause);
    }

    @Override
    public void wakeUp() {
        wait.signal();
    }

    /** Takes one turn without waiting. */
    void look() {
        try {
            runOnce(Duration.ZERO);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes one turn, and waits for something to do. */
    void runIteration() {
        try {
            runOnce();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return whether a wait went on that had to be ended} */
    boolean isForgotten() {
        return wait.isForgotten();
    }
}

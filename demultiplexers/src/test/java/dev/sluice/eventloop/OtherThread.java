package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Pause;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Something that a test does in another thread. */
public final class OtherThread<T> {

    /** Something that may fail. */
    @FunctionalInterface
    public interface Action {
        /** Does it. */
        void run() throws Exception;
    }

    private final FutureTask<T> task;
    private final Thread thread;

    private OtherThread(Callable<T> work) {
        task = new FutureTask<>(work);
        thread = new Thread(task, "other thread of a test");
        thread.setDaemon(true);
        thread.start();
    }

    public static <T> OtherThread<T> start(Callable<T> work) {
        return new OtherThread<>(work);
    }

    /** Does it and waits until it is done. */
    public static void run(Action action) throws Exception {
        start(() -> {
            action.run();
            return null;
        }).result();
    }

    public Thread thread() {
        return thread;
    }

    /** {@return what came out, once the thread has ended} */
    public T result() throws Exception {
        return result(EventLoopContract.LIMIT);
    }

    /** {@return what came out, once the thread has ended, which may take long} */
    public T result(Duration limit) throws Exception {
        try {
            T result = task.get(limit.toSeconds(), TimeUnit.SECONDS);
            awaitEnd(thread);
            return result;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    public static void awaitEnd(Thread thread) {
        try {
            thread.join(EventLoopContract.LIMIT.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertFalse(thread.isAlive(), () -> thread + " does not end");
    }

    public static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(EventLoopContract.LIMIT.toSeconds(), TimeUnit.SECONDS), "it does not happen");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for what other threads do. */
    public static void await(BooleanSupplier happened) {
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        Pause pause = new Pause();
        while (!happened.getAsBoolean()) {
            assertFalse(System.nanoTime() - end > 0, "it does not happen");
            pause.next();
        }
    }

    /** Waits until a thread is inside of a wait of Java's. */
    public static void awaitWaiting(Thread thread) {
        await(() -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
    }
}

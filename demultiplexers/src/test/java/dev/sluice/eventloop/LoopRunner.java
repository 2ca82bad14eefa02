package dev.sluice.eventloop;

import java.util.concurrent.CountDownLatch;

/** A thread that runs an event loop, until it is closed here or the loop is. */
public final class LoopRunner implements AutoCloseable {

    private static final String NAME = "loop of a test";
    private static final long SOON_MILLIS = 100;

    private final EventLoop loop;
    private final Thread thread;
    /** Whether the loop may be closed before the thread runs it. */
    private final boolean mayBeLate;
    private volatile Throwable failure;

    /** Returns once the loop has begun to run. */
    public LoopRunner(EventLoop loop) {
        this(loop, new CountDownLatch(1));
    }

    private LoopRunner(EventLoop loop, CountDownLatch running) {
        this.loop = loop;
        mayBeLate = running.getCount() == 0;
        if (!mayBeLate) {
            loop.execute(running::countDown);
        }
        thread = new Thread(this::run, NAME);
        thread.setDaemon(true);
        thread.start();
        OtherThread.await(running);
    }

    /** {@return one of several threads of a loop, which is about to run it} */
    public static LoopRunner started(EventLoop loop) {
        return new LoopRunner(loop, new CountDownLatch(0));
    }

    /** {@return whether it is one of these that calls this} */
    public static boolean isCurrent() {
        return Thread.currentThread().getName().equals(NAME);
    }

    private void run() {
        try {
            loop.run();
        } catch (Throwable e) {
            if (!mayBeLate || loop.isOpen() || !(e instanceof IllegalStateException)) {
                failure = e;
            }
        }
    }

    public Thread thread() {
        return thread;
    }

    /** Waits for the end of the thread. */
    public void join() {
        OtherThread.awaitEnd(thread);
        if (failure != null) {
            throw new AssertionError("the loop failed", failure);
        }
    }

    @Override
    public void close() {
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        // A stop ends what runs: one of several threads that has not begun to run the loop until then misses it.
        do {
            loop.stop();
        } while (!hasEnded() && System.nanoTime() - end < 0);
        join();
    }

    private boolean hasEnded() {
        try {
            thread.join(SOON_MILLIS);
            return !thread.isAlive();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

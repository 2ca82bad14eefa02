package dev.sluice.eventloop;

import java.util.concurrent.CountDownLatch;

/** A thread that runs an event loop, until it is closed here or the loop is. */
public final class LoopThread implements AutoCloseable {

    private final EventLoop loop;
    private final Thread thread;
    private volatile Throwable failure;

    /** Returns once the loop has begun to run. */
    public LoopThread(EventLoop loop) {
        this.loop = loop;
        CountDownLatch running = new CountDownLatch(1);
        loop.execute(running::countDown);
        thread = new Thread(this::run, "loop of a test");
        thread.setDaemon(true);
        thread.start();
        OtherThread.await(running);
    }

    private void run() {
        try {
            loop.run();
        } catch (Throwable e) {
            failure = e;
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
        loop.stop();
        join();
    }
}

package dev.sluice.reactor;

import java.util.concurrent.CountDownLatch;

/** A thread that runs the event loop of a reactor, until it is closed here or the reactor is. */
public final class LoopThread implements AutoCloseable {

    private final Reactor reactor;
    private final Thread thread;
    private volatile Throwable failure;

    /** Returns once the loop has begun to run. */
    public LoopThread(Reactor reactor) {
        this.reactor = reactor;
        CountDownLatch running = new CountDownLatch(1);
        reactor.execute(running::countDown);
        thread = new Thread(this::run, "loop of a test");
        thread.setDaemon(true);
        thread.start();
        OtherThread.await(running);
    }

    private void run() {
        try {
            reactor.run();
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
        reactor.stop();
        join();
    }
}

package dev.sluice.benchmarks.wakeup;

import java.io.IOException;

/** An event loop that runs on a thread of its own, and waits for events that never come. */
abstract class LoopThread implements RunningLoop {

    private static final long TIMEOUT_MILLIS = 10_000;

    private final Thread thread = new Thread(this::runLoop, "event loop");
    private volatile Exception failure;

    /** Runs the loop until {@link #stop()}, and closes it. */
    abstract void run() throws IOException;

    /** Ends {@link #run()}. */
    abstract void stop();

    /** {@return this loop, which runs from now on} */
    final LoopThread start() {
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    private void runLoop() {
        try {
            run();
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    @Override
    public final void close() throws IOException {
        stop();
        try {
            thread.join(TIMEOUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive() || failure != null) {
            throw new IOException("the event loop has failed", failure);
        }
    }
}

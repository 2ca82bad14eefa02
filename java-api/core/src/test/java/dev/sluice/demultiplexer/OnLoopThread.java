package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Runs a test, with its setup and cleanup, on the loop thread of the test's demultiplexer. If a test hangs, it fails,
 * and later tests get another thread, because this one cannot be interrupted in its system call.
 */
final class OnLoopThread extends OnAnotherThread {

    private static Loop loop = new Loop();

    /** The thread; it is never ended, because each new thread allocates memory for its calls. */
    private static final class Loop extends Thread {

        private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

        Loop() {
            super("loop of the tests");
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    tasks.take().run();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    void run(Callable<Void> part) throws Throwable {
        runOnLoopThread(part);
    }

    private static synchronized void runOnLoopThread(Callable<Void> part) throws Throwable {
        FutureTask<Void> running = new FutureTask<>(part);
        if (loop.getState() == Thread.State.NEW) {
            loop.start();
        }
        loop.tasks.add(running);
        try {
            running.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause();
        } catch (TimeoutException e) {
            String where = Arrays.stream(loop.getStackTrace())
                    .map(frame -> "    at " + frame + "\n")
                    .collect(Collectors.joining());
            loop = new Loop();
            fail("not done after " + SECONDS + " s:\n" + where + TestThreads.stacks());
        }
    }
}

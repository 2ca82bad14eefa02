package dev.sluice.samples.server;

import dev.sluice.eventloop.EventLoop;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * An event loop and a platform thread that runs it, until it is told to stop or it fails.
 *
 * @param <L> a reactor or a proactor
 */
public final class EventLoopThread<L extends EventLoop> implements AutoCloseable {

    private final L loop;
    private final Thread thread;
    private final Runnable left;

    /**
     * Makes the thread, which does not run yet.
     *
     * @param name   of the thread
     * @param loop   what it runs; owned from now on by this object, or by those of all threads that run it
     * @param failed called with the failure that ended the loop, by the thread itself
     */
    public EventLoopThread(String name, L loop, Consumer<Throwable> failed) {
        this(name, loop, failed, () -> { });
    }

    /** As above, with something to do in the end for a thread that has left the loop to others. */
    EventLoopThread(String name, L loop, Consumer<Throwable> failed, Runnable left) {
        this.loop = loop;
        this.left = left;
        this.thread = new Thread(() -> run(failed), name);
    }

    private void run(Consumer<Throwable> failed) {
        try {
            loop.run();
            left.run();
        } catch (IOException | RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    /** {@return the event loop} */
    public L loop() {
        return loop;
    }

    /** {@return whether it is the caller's} */
    boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /** Begins to run the loop. */
    public void start() {
        thread.start();
    }

    /** Closes the loop, and waits for the thread's end. */
    @Override
    public void close() {
        loop.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

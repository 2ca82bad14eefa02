package dev.sluice.benchmarks.wakeup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The usual design on java.nio: a queue beside the Selector, and a wake-up after each added task. */
final class SelectorLoop extends LoopThread {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Selector selector;
    private volatile boolean stopped;

    SelectorLoop() throws IOException {
        selector = Selector.open();
    }

    @Override
    void run() throws IOException {
        try (selector) {
            while (!stopped) {
                selector.select(key -> {
                    throw new UncheckedIOException(new IOException("nothing is registered"));
                });
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
            }
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    @Override
    void stop() {
        stopped = true;
        selector.wakeup();
    }
}

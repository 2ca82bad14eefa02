package dev.sluice.benchmarks.wakeup;

import dev.sluice.eventloop.EventLoop;
import java.io.IOException;

/** A Reactor or a Proactor. */
final class SluiceLoop extends LoopThread {

    private final EventLoop loop;

    SluiceLoop(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    void run() throws IOException {
        try (loop) {
            loop.run();
        }
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    void stop() {
        loop.stop();
    }
}

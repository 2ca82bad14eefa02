package dev.sluice.demultiplexer;

import java.util.concurrent.Callable;

/** Runs tests on {@link TestThreads}. */
final class OnTestThread extends OnAnotherThread {

    @Override
    void run(Callable<Void> part) throws Exception {
        TestThreads.result(TestThreads.start(part), SECONDS);
    }
}

package dev.sluice.benchmarks.seda.hop;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A {@link ThreadPoolExecutor} with one thread for each stage. */
final class ExecutorChain implements Chain {

    private final ThreadPoolExecutor[] executors;
    private final Arrivals arrivals;

    ExecutorChain(int stages, Arrivals arrivals) {
        this.arrivals = arrivals;
        executors = new ThreadPoolExecutor[stages];
        for (int i = 0; i < stages; i++) {
            executors[i] = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
            executors[i].prestartAllCoreThreads();
        }
    }

    @Override
    public void enqueue(HopEvent event) {
        pass(event, 0);
    }

    private void pass(HopEvent event, int stage) {
        executors[stage].execute(() -> {
            event.handle();
            if (stage + 1 < executors.length) {
                pass(event, stage + 1);
            } else {
                arrivals.arrive(event);
            }
        });
    }

    @Override
    public void close() {
        for (ThreadPoolExecutor executor : executors) {
            executor.close();
        }
    }
}

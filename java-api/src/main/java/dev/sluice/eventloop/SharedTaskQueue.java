package dev.sluice.eventloop;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Tasks of a loop that several threads run: one thread at a time runs them. When it is done it looks at the queue once
 * more, before it waits or goes out, so none that came meanwhile is left lying.
 */
final class SharedTaskQueue extends TaskQueue {

    private final Occupancy occupancy;
    private final AtomicReference<Thread> runner = new AtomicReference<>();

    SharedTaskQueue(Occupancy occupancy) {
        this.occupancy = occupancy;
    }

    @Override
    boolean isAttended() {
        return runner.get() != null;
    }

    @Override
    boolean isForCaller() {
        return !isEmpty() && (runner.get() == null || runner.get() == Thread.currentThread());
    }

    @Override
    int run() {
        if (isEmpty()) {
            return 0;
        }
        Thread current = Thread.currentThread();
        if (runner.get() == current) {
            // A task runs the loop.
            return super.run();
        }
        if (!runner.compareAndSet(null, current)) {
            return 0;
        }
        try {
            occupancy.handOver();
            return super.run();
        } finally {
            runner.set(null);
        }
    }
}

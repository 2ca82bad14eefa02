package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Runs a stage in the enqueuing threads. If the handler is exclusive, a thread that enqueues while another one is in
 * the handler leaves its events to that thread instead of waiting for it.
 */
final class DirectExecution extends Execution {

    private static final int FREE = 0;
    private static final int BUSY = 1;
    private static final AtomicIntegerFieldUpdater<DirectExecution> STATE =
            AtomicIntegerFieldUpdater.newUpdater(DirectExecution.class, "state");

    private volatile int state = FREE;
    private volatile boolean started;

    DirectExecution(Stage<?> stage) {
        super(stage);
    }

    @Override
    protected void start() {
        started = true;
        run();
    }

    @Override
    public void run() {
        if (!started) {
            return;
        }
        if (isExclusive()) {
            runAlone();
        } else {
            runAll();
        }
    }

    private void runAlone() {
        // Looks again after it has left: another thread may have left events to it.
        while (hasEvent() && STATE.compareAndSet(this, FREE, BUSY)) {
            try {
                runAll();
            } finally {
                // Without a call, as there may be no stack for one.
                state = FREE;
            }
        }
    }

    private void runAll() {
        int count;
        do {
            count = runBatch(1);
        } while (count > 0 && hasEvent());
    }

    @Override
    protected String description() {
        return "direct";
    }
}

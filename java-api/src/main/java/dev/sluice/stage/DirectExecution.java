package dev.sluice.stage;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A stage that is no thread boundary: who enqueues runs it. If its handler asks for one thread at a time, who comes
 * while another thread is inside leaves his events to that one instead of waiting for it.
 */
final class DirectExecution extends Execution {

    private final Stage<?> stage;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile boolean started;

    DirectExecution(Stage<?> stage) {
        this.stage = stage;
    }

    @Override
    void start() {
        started = true;
        run();
    }

    @Override
    public void run() {
        if (!started) {
            return;
        }
        if (stage.isExclusive()) {
            runAlone();
        } else {
            runAll();
        }
    }

    private void runAlone() {
        // Looks again after it has left: somebody may have relied on it.
        while (stage.hasEvent() && busy.compareAndSet(false, true)) {
            try {
                runAll();
            } finally {
                busy.set(false);
            }
        }
    }

    private void runAll() {
        int count;
        do {
            count = stage.turn(1);
        } while (count > 0 && stage.hasEvent());
    }

    @Override
    int mostThreads() {
        return stage.isExclusive() ? 1 : 0;
    }

    @Override
    String description() {
        return "direct";
    }
}

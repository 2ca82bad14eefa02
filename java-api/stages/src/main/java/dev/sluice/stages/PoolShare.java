package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicBoolean;

/** A stage that shares a pool with others. */
final class PoolShare extends Execution {

    private final Stage<?> stage;
    private final StagePool pool;
    private final int priority;
    private final AtomicBoolean busy = new AtomicBoolean();
    /** The number of its last quantum, among those of all stages of the pool. */
    private volatile long lastQuantum;

    PoolShare(Stage<?> stage, StagePool pool, int priority) {
        this.stage = stage;
        this.pool = pool;
        this.priority = priority;
    }

    @Override
    void start() {
        pool.add(this);
    }

    @Override
    public void run() {
        pool.crew.wakeOne();
    }

    @Override
    void taken() {
        pool.crew.wakeForRest();
    }

    /** {@return whether there are events that a thread may handle now} */
    boolean isReady() {
        return stage.handling.hasEvent() && !(stage.exclusive && busy.get());
    }

    boolean isBefore(PoolShare other, boolean byPriority) {
        return byPriority && priority != other.priority ? priority > other.priority : lastQuantum < other.lastQuantum;
    }

    void runQuantum(long number, int threads) {
        lastQuantum = number;
        if (!stage.exclusive) {
            stage.handling.run(threads);
        } else if (busy.compareAndSet(false, true)) {
            try {
                stage.handling.run(1);
            } finally {
                busy.set(false);
            }
        }
    }

    @Override
    String description() {
        return "shares " + pool + ", priority " + priority;
    }

    @Override
    void end() {
        pool.remove(this);
    }
}

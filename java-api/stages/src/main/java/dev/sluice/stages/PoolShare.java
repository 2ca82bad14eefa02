package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicBoolean;

/** A stage that shares a pool with others. */
final class PoolShare extends Execution {

    private final StagePool pool;
    private final int priority;
    private final AtomicBoolean busy = new AtomicBoolean();
    /** The number of its last quantum, among those of all stages of the pool. */
    private volatile long lastQuantum;

    PoolShare(Stage<?> stage, StagePool pool) {
        super(stage);
        this.pool = pool;
        priority = stage.priority;
    }

    @Override
    protected void start() {
        pool.add(this);
    }

    @Override
    public void run() {
        pool.workers.wakeOne();
    }

    @Override
    protected void taken() {
        pool.workers.wakeForRest();
    }

    /** {@return whether there are events that a thread may handle now} */
    boolean isReady() {
        return hasEvent() && !(isExclusive() && busy.get());
    }

    boolean isBefore(PoolShare other, boolean byPriority) {
        return byPriority && priority != other.priority ? priority > other.priority : lastQuantum < other.lastQuantum;
    }

    void runQuantum(long number, int threads) {
        lastQuantum = number;
        if (!isExclusive()) {
            runBatch(threads);
        } else if (busy.compareAndSet(false, true)) {
            try {
                runBatch(1);
            } finally {
                busy.set(false);
            }
        }
    }

    @Override
    protected String description() {
        return "shares " + pool + ", priority " + priority;
    }

    @Override
    protected void end() {
        pool.remove(this);
    }
}

package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.PooledCall;
import org.jspecify.annotations.Nullable;

/** Makes a call that may wait for a disk on a thread of a pool. */
abstract class PooledAttempt<A extends Arguments> extends Attempt<A> {

    private final FilePool pool;
    /** The latest call that has been submitted; null before the first. */
    private @Nullable PooledCall pooled;

    PooledAttempt(Emulation emulation, A arguments, FilePool pool) {
        super(emulation, arguments);
        this.pool = pool;
    }

    @Override
    protected void begin() {
        PooledCall next = nextCall(pooled);
        pooled = next;
        pool.submitQuietly(next);
    }

    /**
     * {@return the call to make; by default the same object each time}
     *
     * @param latest the latest call that has been submitted, or null
     */
    PooledCall nextCall(@Nullable PooledCall latest) {
        return latest != null ? latest : new PooledCall(operation) {
            @Override
            protected long make() {
                return PooledAttempt.this.perform();
            }
        };
    }

    @Override
    protected void performed(long result) {
        outcomes.attempted(operation, result);
    }

    @Override
    boolean stop() {
        assert pooled != null;
        return pool.withdraw(pooled);
    }
}

package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.PooledCall;

/** Makes a call that may wait for a disk, on a thread of the pool. */
abstract class PooledAttempt<A extends Arguments> extends Attempt<A> {

    private final FilePool pool;
    /** The latest call that a thread of the pool was to make, null before the first one. */
    private PooledCall pooled;

    PooledAttempt(Emulation emulation, A asked, FilePool pool) {
        super(emulation, asked);
        this.pool = pool;
    }

    @Override
    protected void begin() {
        pooled = nextCall(pooled);
        pool.submit(pooled);
    }

    /**
     * {@return the call to make: the same each time, as files may be read from again and again}
     *
     * @param latest the latest one, or null
     */
    PooledCall nextCall(PooledCall latest) {
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
    final boolean stop() {
        return pool.withdraw(pooled);
    }
}

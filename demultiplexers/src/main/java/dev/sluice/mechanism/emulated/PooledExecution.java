package dev.sluice.mechanism.emulated;

import dev.sluice.mechanism.operation.FilePool;

/** Makes a call that may wait for a disk, on a thread of the pool. */
abstract class PooledExecution extends Execution {

    private final FilePool pool;

    PooledExecution(Emulation emulation, FilePool pool) {
        super(emulation);
        this.pool = pool;
    }

    @Override
    void begin(EmulatedOperation operation) {
        pool.submit(operation);
    }

    @Override
    final boolean stop(EmulatedOperation operation) {
        return pool.withdraw(operation);
    }
}

package dev.sluice.mechanism.emulated;

import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.PooledCall;

/** Makes a call that may wait for a disk, on a thread of the pool. */
abstract class PooledExecution extends Execution {

    private final FilePool pool;

    PooledExecution(Emulation emulation, FilePool pool) {
        super(emulation);
        this.pool = pool;
    }

    @Override
    void begin(EmulatedOperation operation) {
        operation.pooled = call(operation);
        pool.submit(operation.pooled);
    }

    /** {@return the call to make} */
    PooledCall call(EmulatedOperation operation) {
        return operation.executed();
    }

    @Override
    final boolean stop(EmulatedOperation operation) {
        return pool.withdraw(operation.pooled);
    }
}

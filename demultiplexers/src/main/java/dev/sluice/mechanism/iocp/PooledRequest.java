package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.Outcomes;
import dev.sluice.mechanism.operation.PooledCall;

/** Makes a call that may wait and has no overlapped form on Windows, on a thread of the pool. */
abstract class PooledRequest extends Request {

    private final FilePool pool;

    PooledRequest(Outcomes outcomes, FilePool pool) {
        super(outcomes);
        this.pool = pool;
    }

    @Override
    final void begin(IocpOperation operation) {
        operation.pooled = pooledCall(operation);
        pool.submit(operation.pooled);
    }

    /** {@return the call to make} */
    PooledCall pooledCall(IocpOperation operation) {
        return operation.requested();
    }

    @Override
    final void cancel(IocpOperation operation) {
        if (pool.withdraw(operation.pooled)) {
            outcomes().complete(operation, -Errno.ECANCELED.number());
        }
    }
}

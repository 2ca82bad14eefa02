package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.Outcomes;
import dev.sluice.demultiplexer.operation.PooledCall;

/** Makes a call that may wait and has no overlapped form on Windows, on a thread of the pool. */
abstract class PooledRequest extends Request {

    private final FilePool pool;
    /** The latest call that a thread of the pool was to make, null before the first one. */
    private PooledCall pooled;

    PooledRequest(Outcomes outcomes, Arguments asked, FilePool pool) {
        super(outcomes, asked);
        this.pool = pool;
    }

    /**
     * Makes the system call that the operation stands for. Called by a thread of the pool.
     *
     * @return its result, or a negated error number
     */
    abstract long perform();

    @Override
    protected final void begin() {
        pooled = nextCall(pooled);
        pool.submit(pooled);
    }

    /**
     * {@return the call to make: the same each time}
     *
     * @param latest the latest one, or null
     */
    PooledCall nextCall(PooledCall latest) {
        return latest != null ? latest : new PooledCall(operation()) {
            @Override
            protected long make() {
                return PooledRequest.this.perform();
            }
        };
    }

    /** {@return the latest call} */
    final PooledCall pooled() {
        return pooled;
    }

    @Override
    protected final void cancel() {
        if (pool.withdraw(pooled)) {
            outcomes().complete(operation(), -Errno.ECANCELED.number());
        }
    }
}

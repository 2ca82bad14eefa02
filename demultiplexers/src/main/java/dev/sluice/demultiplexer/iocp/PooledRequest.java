package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledCall;

/** Makes a call that may wait and has no overlapped form on Windows, on a thread of the pool. */
abstract class PooledRequest<A extends Arguments> extends Request<A> {

    /** The latest call that a thread of the pool was to make, null before the first one. */
    private PooledCall pooled;

    PooledRequest(IocpDemultiplexer demultiplexer, A asked) {
        super(demultiplexer, asked);
    }

    @Override
    protected final void begin() {
        pooled = nextCall();
        demultiplexer.files.submit(pooled);
    }

    /** {@return the call to make} */
    abstract PooledCall nextCall();

    /** {@return the latest call} */
    final PooledCall pooled() {
        return pooled;
    }

    @Override
    protected void performed(long result) {
        outcomes.complete(operation, result);
    }

    @Override
    protected final void cancel() {
        if (demultiplexer.files.withdraw(pooled)) {
            outcomes.complete(operation, -Errno.ECANCELED.number());
        }
    }
}

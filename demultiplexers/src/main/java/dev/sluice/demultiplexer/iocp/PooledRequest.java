package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledCall;
import org.jspecify.annotations.Nullable;

/** Makes a call that may block and has no overlapped form on Windows, on a thread of the pool. */
abstract class PooledRequest<A extends Arguments> extends Request<A> {

    /** The latest call that has been submitted; null before the first. */
    private @Nullable PooledCall pooled;

    PooledRequest(IocpDemultiplexer demultiplexer, A arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    protected final void begin() {
        PooledCall next = nextCall();
        pooled = next;
        demultiplexer.files.submit(next);
    }

    /** {@return the call to make} */
    abstract PooledCall nextCall();

    /** {@return the latest call} */
    final PooledCall pooled() {
        assert pooled != null;
        return pooled;
    }

    @Override
    protected void performed(long result) {
        outcomes.complete(operation, result);
    }

    @Override
    protected void cancel() {
        if (demultiplexer.files.withdraw(pooled())) {
            outcomes.complete(operation, -Errno.ECANCELED.number());
        }
    }
}

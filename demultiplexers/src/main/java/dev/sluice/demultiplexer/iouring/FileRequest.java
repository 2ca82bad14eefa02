package dev.sluice.demultiplexer.iouring;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledCall;
import org.jspecify.annotations.Nullable;

/**
 * An operation on a file. A thread of the pool executes it, if the kernel has no such request, or if the file system
 * refuses the request with {@code EOPNOTSUPP}, as some do that have the call: the first such request of a file is
 * repeated by the pool, and later ones of its type are not tried.
 */
abstract class FileRequest<A extends Arguments> extends Request<A> {

    private final PooledCall call = new PooledCall(operation) {
        @Override
        protected long make() {
            long result;
            do {
                result = makeCall();
            } while (Errno.EINTR.is(result));
            return result;
        }

        @Override
        protected void releaseResult(long got) {
            releaseOpened();
        }
    };
    /** The call that the operation waits for; null if it waits for none. */
    private @Nullable PooledCall pooled;

    FileRequest(Requests requests, A arguments) {
        super(requests, arguments);
    }

    /** {@return whether the kernel has a request for the operation} */
    boolean isForRing() {
        return true;
    }

    @Override
    boolean prepare() {
        boolean refused = operation.association() instanceof IoUringAssociation file
                && file.refuses(arguments.type());
        if (isForRing() && !refused) {
            return true;
        }
        submitToPool();
        return false;
    }

    /** Makes the call of the operation once. Called by a thread of the pool. */
    long makeCall() {
        return arguments.makeCall();
    }

    /** {@return the call to submit; by default the same object each time} */
    PooledCall nextCall() {
        return call;
    }

    /** Submits the call to the pool, unless the operation has been cancelled. */
    final void submitToPool() {
        if (isCancelled()) {
            finish(-Errno.ECANCELED.number());
            return;
        }
        PooledCall next = nextCall();
        requests.files.submit(next);
        pooled = next;
        requests.pooled++;
        requests.hasPooled = true;
    }

    private void leavePool() {
        if (pooled != null) {
            pooled = null;
            requests.pooled--;
        }
    }

    /** Submits the call to the pool, because the file system has refused the request. */
    final void repeatByCall() {
        if (operation.association() instanceof IoUringAssociation file) {
            file.refused(arguments.type());
        }
        submitToPool();
    }

    @Override
    void complete(int result, int flags) {
        if (Errno.EOPNOTSUPP.is(result)) {
            repeatByCall();
        } else if (Errno.EINTR.is(result) || result == -ERESTARTSYS) {
            resume();
        } else {
            executed(result);
        }
    }

    @Override
    protected final void performed(long result) {
        leavePool();
        executed(result);
    }

    /** Handles the result of a request, or of the call. */
    void executed(long result) {
        outcomes.attempted(operation, result);
    }

    @Override
    protected final void cancel() {
        if (pooled == null) {
            super.cancel();
        } else if (!mustFinish() && requests.files.withdraw(pooled)) {
            finish(-Errno.ECANCELED.number());
        }
    }

    @Override
    protected boolean releaseBorrowed() {
        leavePool();
        return super.releaseBorrowed();
    }

    /** {@inheritDoc} If a thread makes a call for the operation, that happens after the call. */
    @Override
    protected final void abandoned() {
        if (pooled == null) {
            releaseOpened();
        }
    }

    /** Closes the descriptors that only this operation knows, because it will not complete by itself. */
    void releaseOpened() {
    }

    /** {@inheritDoc} An operation for which a thread is making the call completes when that has returned. */
    @Override
    final void abandon() {
        if (pooled != null) {
            cancel();
        } else {
            super.abandon();
        }
    }
}

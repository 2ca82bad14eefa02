package dev.sluice.demultiplexer.iouring;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledCall;

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
                result = arguments.makeCall();
            } while (Errno.EINTR.is(result));
            return result;
        }
    };
    /** Whether the operation waits for the call. */
    private boolean isPooled;

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

    private void submitToPool() {
        requests.files.submit(call);
        isPooled = true;
        requests.pooled++;
    }

    private void leavePool() {
        if (isPooled) {
            isPooled = false;
            requests.pooled--;
        }
    }

    @Override
    void complete(int result, int flags) {
        if (Errno.EOPNOTSUPP.is(result) && !operation.isCancelRequested()) {
            if (operation.association() instanceof IoUringAssociation file) {
                file.refused(arguments.type());
            }
            submitToPool();
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
        if (!isPooled) {
            super.cancel();
        } else if (requests.files.withdraw(call)) {
            finish(-Errno.ECANCELED.number());
        }
    }

    @Override
    protected boolean releaseBorrowed() {
        leavePool();
        return super.releaseBorrowed();
    }

    /** {@inheritDoc} An operation for which a thread is making the call completes when that has returned. */
    @Override
    final void abandon() {
        if (isPooled) {
            cancel();
        } else {
            super.abandon();
        }
    }
}

package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;

/**
 * A request that consists of overlapped calls, usually of one. {@link OverlappedCalls} drives them; a subclass knows
 * how to make the next one, what its result means, and whether another one is needed.
 *
 * <p>Unless a subclass says otherwise, an operation is over when its bytes have been moved, or when a call has failed.
 */
abstract class OverlappedRequest extends Request {

    /** What {@link #call} returns if the result comes with a packet. */
    static final long PENDING = Long.MIN_VALUE;

    private final OverlappedCalls calls;

    OverlappedRequest(OverlappedCalls calls) {
        super(calls.outcomes());
        this.calls = calls;
    }

    final Windows windows() {
        return calls.windows();
    }

    final ExtensionFunctions extensions() {
        return calls.extensions();
    }

    @Override
    final void begin(IocpOperation operation) {
        if (maySkipPackets()) {
            association(operation).skipPackets(windows());
        }
        calls.begin(this, operation);
    }

    @Override
    final void goOn(IocpOperation operation, long transferred) {
        calls.goOn(this, operation, transferred);
    }

    @Override
    void cancel(IocpOperation operation) {
        if (operation.pending) {
            calls.cancel(operation);
        }
    }

    @Override
    void letGo(IocpOperation operation) {
        if (operation.block != null) {
            calls.release(operation);
        }
    }

    // What a subclass may override

    /** {@return whether calls on the handle can be told not to queue a packet if they succeed at once} */
    boolean maySkipPackets() {
        return extensions().kernelHandles();
    }

    /** {@return whether its next call can be made; if not, it waits for something else, or has completed} */
    boolean prepare(IocpOperation operation) {
        return true;
    }

    /** {@return the position in the file that its next call is for} */
    long position(IocpOperation operation) {
        return 0;
    }

    /** {@return what a packet means: a number of bytes, 0 for the end of what is read, or a negated error number} */
    long result(IocpOperation operation, long transferred) {
        int status = operation.block.status();
        if (status >= 0) {
            return transferred;
        }
        long result = failure(-windows().RtlNtStatusToDosError(status));
        // It was our own shutdown that ended the call.
        return Errno.ECANCELED.is(result) && operation.shutDown && !operation.isCancelRequested() ? 0 : result;
    }

    /**
     * Translates an error.
     *
     * @param result a negated error number of Windows
     * @return 0 if it stands for the end of what is read, otherwise a negated error number
     */
    long failure(int result) {
        return WindowsError.toErrno(result);
    }

    /**
     * Takes the result of a call, and completes the operation unless it needs another call.
     *
     * @return whether it needs another call
     */
    boolean completed(IocpOperation operation, long result) {
        boolean more = outcomes().hasMore(operation, result);
        if (!more) {
            letGo(operation);
        }
        return more;
    }

    // For subclasses

    /** Decides what a call's return means: the call is over at once only if no packet will come for it. */
    final long outcome(IocpOperation operation, int result) {
        if (result >= 0) {
            return association(operation).skipsPackets() ? operation.block.transferred() : PENDING;
        }
        return result == -WindowsError.ERROR_IO_PENDING ? PENDING : failure(result);
    }

    /** As {@link #finish(IocpOperation, long, Object)}, for an operation that brings nothing. */
    final boolean finish(IocpOperation operation, long result) {
        return finish(operation, result, null);
    }

    /**
     * Completes an operation.
     *
     * @return false, since it makes no more calls
     */
    final boolean finish(IocpOperation operation, long result, Object resource) {
        letGo(operation);
        outcomes().complete(operation, result, resource);
        return false;
    }

    static IocpAssociation association(IocpOperation operation) {
        return (IocpAssociation) operation.association();
    }
}

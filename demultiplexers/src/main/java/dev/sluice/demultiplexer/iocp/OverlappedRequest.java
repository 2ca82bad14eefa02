package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Wsabuf;
import dev.sluice.demultiplexer.operation.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * A request that consists of one or more consecutive overlapped calls. A subclass makes the next call, interprets its
 * result, and determines whether another call is needed.
 *
 * <p>By default, an operation is over when its bytes have been moved, or when a call has failed.
 */
abstract class OverlappedRequest<A extends Arguments> extends Request<A> {

    /** The result of {@link #perform} if a packet will report the result of the call. */
    static final long PENDING = Long.MIN_VALUE;

    /** The maximum number of calls of one operation that complete immediately before other operations are served. */
    private static final int CALL_BUDGET = 8;

    /** The structures of the calls; null if the operation is not being executed. */
    private OverlappedPool.@Nullable Block block;
    /** Whether a packet will arrive. */
    private boolean pending;
    /** Whether that packet was posted by {@link #yields}, so that other operations are served first. */
    private boolean yielding;
    /** Whether the last call has failed without a packet. */
    private boolean failedAtOnce;
    /** Whether the handle has been shut down for receiving, which does not end a call. */
    private boolean shutDown;

    OverlappedRequest(IocpDemultiplexer demultiplexer, A arguments) {
        super(demultiplexer, arguments);
    }

    final Windows windows() {
        return demultiplexer.windows;
    }

    final ExtensionFunctions extensions() {
        return demultiplexer.extensions;
    }

    final OverlappedPool.Block block() {
        assert block != null;
        return block;
    }

    final IocpAssociation association() {
        return (IocpAssociation) operation.handleAssociation();
    }

    // The calls

    @Override
    protected final void begin() {
        if (maySkipPackets()) {
            association().skipPackets(windows());
        }
        reset();
        block = demultiplexer.blocks.take(this);
        proceed();
    }

    /**
     * Continues the operation when a packet has arrived.
     *
     * @param transferred the number of bytes that the call has moved according to the packet
     */
    final void advance(long transferred) {
        pending = false;
        failedAtOnce = false;
        boolean yielded = yielding;
        yielding = false;
        if (yielded || complete(result(transferred))) {
            proceed();
        }
    }

    /** Makes calls until one is pending, or the operation has completed. */
    private void proceed() {
        do {
            if (!makeCalls()) {
                return;
            }
        } while (!yields());
    }

    /** {@return whether another call is needed} */
    private boolean makeCalls() {
        for (int i = 0; i < CALL_BUDGET; i++) {
            if (operation.isCancelRequested()) {
                return finish(-Errno.ECANCELED.number());
            }
            if (!prepare()) {
                releaseResources();
                return false;
            }
            block().clear(position());
            long result = perform();
            if (result == PENDING) {
                pending = true;
                return false;
            }
            failedAtOnce = result < 0;
            if (!complete(result)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether the operation continues after others; otherwise it must continue immediately} */
    private boolean yields() {
        if (!demultiplexer.port.tryToPost(block().address())) {
            return false;
        }
        yielding = true;
        pending = true;
        return true;
    }

    // The end

    @Override
    protected void cancel() {
        if (pending) {
            demultiplexer.cancels.cancel(this);
        }
    }

    final boolean isPending() {
        return pending;
    }

    /** Cancels the current call, because the handle has been shut down for receiving, which does not end the call. */
    final void shutDown() {
        if (pending) {
            shutDown = true;
            cancel();
        }
    }

    /** {@return whether there is a pending call that must be cancelled} */
    final boolean isToEnd() {
        return pending && (operation.isCancelRequested() || shutDown);
    }

    @Override
    protected final boolean releaseBorrowed() {
        if (pending) {
            return false;
        }
        releaseResources();
        return true;
    }

    /** Releases the block, and in subclasses other resources. Called when the operation is over. */
    void releaseResources() {
        if (block == null) {
            return;
        }
        if (failedAtOnce) {
            demultiplexer.blocks.releaseAfterFailure(block);
        } else {
            demultiplexer.blocks.release(block);
        }
        failedAtOnce = false;
        block = null;
    }

    // May be overridden by subclasses

    /** Prepares for the first call. */
    void reset() {
        shutDown = false;
    }

    /** {@return whether the handle can be set not to queue a packet for calls that succeed immediately} */
    boolean maySkipPackets() {
        return extensions().kernelHandles();
    }

    /** {@return whether the next call can be made; if not, the operation waits for something else, or has completed} */
    boolean prepare() {
        return true;
    }

    /**
     * Makes the next system call.
     *
     * @return the result of the call, a negated error number, or {@link #PENDING}
     */
    abstract long perform();

    /** {@return the position in the file of the next call} */
    long position() {
        return 0;
    }

    /**
     * {@return the result of a call that a packet reports: a number of bytes, 0 for the end of the input, or a negated
     * error number}
     */
    long result(long transferred) {
        int status = block().status();
        if (status >= 0) {
            return transferred;
        }
        long result = failure(-windows().RtlNtStatusToDosError(status));
        // The call was cancelled because of the shutdown.
        return Errno.ECANCELED.is(result) && shutDown && !operation.isCancelRequested() ? 0 : result;
    }

    /**
     * Translates an error.
     *
     * @param result a negated error number of Windows
     * @return 0 if it means the end of the input, otherwise a negated error number
     */
    long failure(int result) {
        return WindowsError.toErrno(result);
    }

    /**
     * Handles the result of a call, and completes the operation unless it needs another call.
     *
     * @return whether another call is needed
     */
    boolean complete(long result) {
        boolean more = outcomes.hasMore(operation, result);
        if (!more) {
            releaseResources();
        }
        return more;
    }

    // Used by subclasses

    /** Translates the return value of a call. The call is over only if no packet will be queued for it. */
    final long outcome(int result) {
        if (result >= 0) {
            return association().skipsPackets() ? block().transferred() : PENDING;
        }
        return result == -WindowsError.ERROR_IO_PENDING ? PENDING : failure(result);
    }

    /** As {@link #finish(long, Object)}, for an operation without a resource. */
    final boolean finish(long result) {
        return finish(result, null);
    }

    /**
     * Completes an operation.
     *
     * @return false, because no more calls are needed
     */
    final boolean finish(long result, @Nullable Object resource) {
        releaseResources();
        outcomes.complete(operation, result, resource);
        return false;
    }

    /** {@return the address of an element of the vector} */
    final long elementAddress(int index) {
        return memory().structure().getLong(memory().vectorAt() + index * Wsabuf.SIZE + Wsabuf.BUF);
    }

    /** {@return the length of an element of the vector in bytes} */
    final int elementLength(int index) {
        return memory().structure().getInt(memory().vectorAt() + index * Wsabuf.SIZE + Wsabuf.LEN);
    }
}

package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Wsabuf;
import dev.sluice.demultiplexer.operation.Arguments;

/**
 * A request that consists of overlapped calls, usually of one, made one after the other. A subclass knows how to make
 * the next one, what its result means, and whether another one is needed.
 *
 * <p>Unless a subclass says otherwise, an operation is over when its bytes have been moved, or when a call has failed.
 */
abstract class OverlappedRequest<A extends Arguments> extends Request<A> {

    /** What {@link #perform} returns if the result comes with a packet. */
    static final long PENDING = Long.MIN_VALUE;

    /** How many calls of one operation may complete at once before others get their turn. */
    private static final int CALL_BUDGET = 8;

    /** The structures of its calls; null if it makes none. */
    private OverlappedPool.Block block;
    /** Whether a packet will come for it. */
    private boolean pending;
    /** Whether that packet was posted by {@link #yields}, so that other operations proceed first. */
    private boolean yielding;
    /** Whether its last call has failed without a packet. */
    private boolean failedAtOnce;
    /** Whether its handle has been shut down for receiving, which does not end a call by itself. */
    private boolean shutDown;

    OverlappedRequest(IocpDemultiplexer demultiplexer, A asked) {
        super(demultiplexer, asked);
    }

    final Windows windows() {
        return demultiplexer.windows;
    }

    final ExtensionFunctions extensions() {
        return demultiplexer.extensions;
    }

    final OverlappedPool.Block block() {
        return block;
    }

    final IocpAssociation association() {
        return (IocpAssociation) operation.association();
    }

    // The calls, one after the other

    @Override
    protected final void begin() {
        if (maySkipPackets()) {
            association().skipPackets(windows());
        }
        reset();
        block = demultiplexer.blocks.lend(this);
        proceed();
    }

    /**
     * Goes on when a packet has come.
     *
     * @param transferred the number of bytes that the call has moved, as the packet says
     */
    final void goOn(long transferred) {
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

    /** {@return whether it continues with another call} */
    private boolean makeCalls() {
        for (int i = 0; i < CALL_BUDGET; i++) {
            if (operation.isCancelRequested()) {
                return finish(-Errno.ECANCELED.number());
            }
            if (!prepare()) {
                releaseResources();
                return false;
            }
            block.clear(position());
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

    /** {@return whether it continues after other operations; otherwise it must continue immediately} */
    private boolean yields() {
        if (!demultiplexer.port.tryToPost(block.address())) {
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

    /** Its handle has been shut down for receiving, which does not end a call by itself. */
    final void shutDown() {
        if (pending) {
            shutDown = true;
            cancel();
        }
    }

    /** {@return whether a pending call is to be cancelled} */
    final boolean isToEnd() {
        return pending && (operation.isCancelRequested() || shutDown);
    }

    @Override
    protected final boolean giveUp() {
        if (pending) {
            return false;
        }
        releaseResources();
        return true;
    }

    /** Releases the block. Called when the operation is over, whatever its outcome. */
    void releaseResources() {
        if (block == null) {
            return;
        }
        if (failedAtOnce) {
            demultiplexer.blocks.giveBackAfterFailure(block);
        } else {
            demultiplexer.blocks.giveBack(block);
        }
        failedAtOnce = false;
        block = null;
    }

    // What a subclass may override

    /** Prepares for the first call. */
    void reset() {
        shutDown = false;
    }

    /** {@return whether calls on the handle can be set not to queue a packet if they succeed immediately} */
    boolean maySkipPackets() {
        return extensions().kernelHandles();
    }

    /** {@return whether its next call can be made; if not, it waits for something else, or has completed} */
    boolean prepare() {
        return true;
    }

    /**
     * Makes the next system call.
     *
     * @return its result, a negated error number, or {@link #PENDING}
     */
    abstract long perform();

    /** {@return the position in the file that its next call is for} */
    long position() {
        return 0;
    }

    /** {@return what a packet means: a number of bytes, 0 for the end of what is read, or a negated error number} */
    long result(long transferred) {
        int status = block.status();
        if (status >= 0) {
            return transferred;
        }
        long result = failure(-windows().RtlNtStatusToDosError(status));
        // It was our own shutdown that ended the call.
        return Errno.ECANCELED.is(result) && shutDown && !operation.isCancelRequested() ? 0 : result;
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
    boolean complete(long result) {
        boolean more = outcomes.hasMore(operation, result);
        if (!more) {
            releaseResources();
        }
        return more;
    }

    // For subclasses

    /** Decides what a call's return means: the call is over at once only if no packet will come for it. */
    final long outcome(int result) {
        if (result >= 0) {
            return association().skipsPackets() ? block.transferred() : PENDING;
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
     * @return false, since it makes no more calls
     */
    final boolean finish(long result, Object resource) {
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

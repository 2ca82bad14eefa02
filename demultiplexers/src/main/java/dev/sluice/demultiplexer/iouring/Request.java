package dev.sluice.demultiplexer.iouring;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.IoUringConstants;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.demultiplexer.handleset.PollBits;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.spi.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an operation of one kind is executed by requests to the kernel. Used inside.
 *
 * <p>By default, an operation is over when its bytes have been moved, or when a request has failed.
 */
abstract class Request<A extends Arguments> extends Execution<A> {

    /**
     * A bit that a poll reports with the events of a socket's wake-up, which always include urgent data, but not with
     * events that the poll has found itself. A poll for POLLPRI alone is not woken up by urgent data that arrive later
     * (seen on Linux 6.18).
     */
    static final int GUESSED = PollConstants.POLLRDBAND;

    /**
     * The kernel's internal code for a call that was interrupted before it had an effect. Programs should never see it,
     * but a cancelled open of a FIFO completes with it (seen on Linux 6.18).
     */
    static final int ERESTARTSYS = 512;

    /** The maximum result of requests whose result is not limited by a number of bytes. */
    static final long ANY = Integer.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(Request.class);

    final Requests requests;
    /** Whether the current request is a poll, after which the operation is requested again. */
    private boolean polling;
    /** Whether the operation has been requested again after an EFAULT, which may also be an error of the memory. */
    private boolean repeated;

    Request(Requests requests, A arguments) {
        super(arguments, requests.outcomes);
        this.requests = requests;
    }

    /** {@return the request of an operation that has been begun} */
    static Request<?> of(OperationSlot operation) {
        Request<?> request = (Request<?>) operation.execution();
        assert request != null;
        return request;
    }

    @Override
    protected final void begin() {
        repeated = false;
        if (prepare()) {
            submit();
        }
    }

    /** {@return whether the operation can be requested now; if not, it waits for something else, or has completed} */
    boolean prepare() {
        return true;
    }

    /** Writes the next request into the submission queue. */
    final void encode() {
        if (polling) {
            setPoll(awaitedDescriptor(), awaitedEvent());
        } else {
            perform();
        }
    }

    /** Writes the next request, other than a wait for readiness, into the submission queue. */
    abstract void perform();

    /**
     * {@return the event to wait for before the operation is requested again after EAGAIN; 0 if EAGAIN is an error like
     * any other} Most kernels wait by themselves, but some versions do not for non-blocking descriptors.
     */
    int awaitedEvent() {
        return 0;
    }

    /** {@return the descriptor on which to wait for {@link #awaitedEvent}} */
    int awaitedDescriptor() {
        return descriptor();
    }

    /**
     * Handles all completions that the kernel has reported, and the results of calls of the pool.
     *
     * @param requests the requests of a ring
     * @return whether the kernel has reported any
     */
    static boolean takeAll(Requests requests) {
        Ring ring = requests.ring;
        int count = ring.completions();
        for (int left = count; left > 0; left--) {
            long key = ring.userData();
            int result = ring.result();
            int flags = ring.flags();
            ring.completionSeen();
            OperationSlot operation = requests.outcomes.operation(key);
            if (operation == null) {
                requests.takeOther(key, result, flags);
            } else {
                takeChecked(operation, result, flags);
            }
        }
        // Also if no operation waits for a call now: a thread may signal for a result that has been taken already, and
        // no thread would signal again before this.
        if (requests.hasPooled) {
            requests.files.resumePerformed(requests.outcomes);
        }
        return count > 0;
    }

    /** Handles a completion of an operation; an exception fails the operation. */
    private static void takeChecked(OperationSlot operation, int result, int flags) {
        Request<?> request = of(operation);
        try {
            request.take(result, flags);
        } catch (RuntimeException | Error e) {
            if ((flags & IoUringConstants.IORING_CQE_F_MORE) == 0) {
                request.outcomes.failed(operation, e);
            } else {
                // The kernel continues the operation, and reports its end.
                request.outcomes.failed(e);
                operation.cancel();
            }
        }
    }

    /** Handles a completion of the request whose user data is the key of the operation. */
    void take(int result, int flags) {
        boolean over = (flags & IoUringConstants.IORING_CQE_F_MORE) == 0;
        if (over && result < 0 && isDropped(result)) {
            dropped();
        } else if (polling) {
            polling = false;
            if (result < 0) {
                finish(result);
            } else {
                ready();
            }
        } else if (result < 0 && Errno.EAGAIN.is(result) && over && awaitedEvent() != 0) {
            refused();
            pollAndResume();
        } else if (result > maxResult(flags)) {
            logImpossible(result);
            impossible(flags);
        } else {
            complete(result, flags);
        }
    }

    /**
     * {@return whether the kernel has dropped the request because the thread that submitted it has terminated} The
     * result is ECANCELED then, or EFAULT for a request that the kernel was about to continue. Called once for each
     * request that has failed: the second EFAULT in a row is an error of the memory.
     */
    final boolean isDropped(int result) {
        boolean dropped = requests.outlivesThreads && !isToEnd()
                && (Errno.ECANCELED.is(result) || Errno.EFAULT.is(result) && !repeated);
        repeated = dropped && Errno.EFAULT.is(result);
        return dropped;
    }

    /** Requests the operation again, after the thread that submitted the request has terminated. */
    void dropped() {
        resume();
    }

    /** Continues the operation after a wait for readiness. */
    void ready() {
        resume();
    }

    /** Called when the result of the request is EAGAIN. It is repeated once the descriptor is ready. */
    void refused() {
    }

    /**
     * {@return the maximum result of a completion} The kernel cannot have moved more bytes than were requested;
     * accepting such a result would expose other memory as received data.
     */
    long maxResult(int flags) {
        return arguments.maxBytes();
    }

    final void logImpossible(int result) {
        LOG.error("io_uring: {} fails: the kernel has reported the impossible result {}", operation, result);
    }

    /** Ends an operation whose completion has a larger result than {@link #maxResult}. */
    void impossible(int flags) {
        if ((flags & IoUringConstants.IORING_CQE_F_MORE) == 0) {
            finish(-Errno.EIO.number());
        } else {
            // The operation is over when the kernel reports its end.
            operation.cancel();
        }
    }

    /** Handles a completion, except for that of a poll. */
    void complete(int result, int flags) {
        if (result < 0 && Errno.EINTR.is(result)) {
            resume();
        } else {
            outcomes.attempted(operation, result);
        }
    }

    /** {@inheritDoc} Makes the kernel cancel the request. */
    @Override
    protected void cancel() {
        requests.cancelRequest(operation);
    }

    /** {@return the user data of the request to cancel} */
    long userDataToCancel() {
        return operation.key();
    }

    /** {@return whether a request that is still in the kernel must be cancelled} */
    boolean isToEnd() {
        return isCancelled();
    }

    /** {@return whether the operation has been cancelled, so that no further request must follow} */
    final boolean isCancelled() {
        return operation.isCancelRequested() && !mustFinish();
    }

    /** {@return whether the operation continues even if it is cancelled, because it would leave its work half done} */
    boolean mustFinish() {
        return false;
    }

    @Override
    protected boolean releaseBorrowed() {
        polling = false;
        return true;
    }

    /**
     * Completes the operation as cancelled, because the loop thread has terminated and the kernel has dropped its
     * requests.
     */
    void abandon() {
        abandoned();
        finish(-Errno.ECANCELED.number());
    }

    // Used by subclasses

    /** Continues the operation, which has no request in the kernel. */
    final void resume() {
        if (isCancelled()) {
            finish(-Errno.ECANCELED.number());
        } else {
            submit();
        }
    }

    /** Puts the request into the submission queue, or defers it until the queue has space. */
    private void submit() {
        assert outcomes.isInside();
        if (!requests.hasDeferred && requests.ring.hasSpace()) {
            encode();
            requests.ring.add();
        } else {
            requests.defer(operation);
        }
    }

    /** Continues a continuous operation from the beginning, with the checks of its preparation. */
    final void requestMore() {
        if (operation.isCancelRequested()) {
            finish(-Errno.ECANCELED.number());
        } else {
            begin();
        }
    }

    /**
     * Ends a continuous operation whose request has failed or reached the end; after an interruption, requests it
     * again.
     */
    final void ended(int result) {
        if (Errno.EINTR.is(result)) {
            resume();
        } else {
            finish(result);
        }
    }

    /** Requests the operation again as soon as its descriptor is ready. */
    final void pollAndResume() {
        polling = true;
        resume();
    }

    /** Releases what the operation has borrowed, and completes it without a resource. */
    final void finish(long result) {
        releaseBorrowed();
        outcomes.complete(operation, result);
    }

    final int descriptor() {
        return (int) operation.handleAssociation().descriptor();
    }

    final void set(int opcode, long offset, long address, int length, int flags) {
        set(opcode, descriptor(), offset, address, length, flags);
    }

    final void set(int opcode, int descriptor, long offset, long address, int length, int flags) {
        requests.ring.set(opcode, descriptor, offset, address, length, flags, operation.key());
    }

    /** Sets a request with several buffers, or with an address. */
    final void setMessage(int opcode, int flags) {
        set(opcode, 0, memory().message(), 1, flags);
    }

    final void setPoll(int descriptor, int events) {
        int wanted = PollBits.UNIX.of(events) | ((events & EventType.EXCEPTION) != 0 ? GUESSED : 0);
        requests.ring.setPoll(descriptor, wanted, operation.key());
    }
}

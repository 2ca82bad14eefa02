package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_NOP;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.demultiplexer.operation.CancellationQueue;
import dev.sluice.demultiplexer.operation.OperationQueue;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.Outcomes;

/** Puts requests into the submission queue, and keeps those that it has no room for. Used by the loop thread. */
final class Submissions {

    /** User data of requests whose completion nobody waits for; not the key of any operation. */
    static final long NOBODY = -2;

    /** Set in the user data of a cancellation, besides the key of its operation, in whose low half no place sets it. */
    private static final long CANCELLATION = 1L << Integer.SIZE - 1;

    private final Ring ring;
    private final Outcomes outcomes;
    private final OperationQueue unsubmitted = new OperationQueue();
    private final CancellationQueue toCancel = new CancellationQueue();
    /** Whether {@link #addRest} has something to do. */
    boolean hasRest;

    Submissions(Ring ring, Outcomes outcomes) {
        this.ring = ring;
        this.outcomes = outcomes;
    }

    Outcomes outcomes() {
        return outcomes;
    }

    void add(Request request) {
        assert outcomes.isInside();
        if (!hasRest && ring.hasRoom()) {
            encode(request);
        } else {
            hasRest = true;
            unsubmitted.add(request.operation());
        }
    }

    /** {@return whether the kernel has taken the last request of an operation in flight} */
    boolean hasReachedKernel(OperationSlot operation) {
        return !unsubmitted.contains(operation) && !ring.isPending(operation.key());
    }

    void cancel(OperationSlot operation) {
        assert outcomes.isInside();
        hasRest = true;
        toCancel.add(operation);
    }

    /** {@return whether user data are those of a cancellation, rather than of a request of an operation} */
    static boolean isCancellation(long userData) {
        return (userData & CANCELLATION) != 0;
    }

    /** {@return the key of the operation that is cancelled by the request with this user data} */
    static long cancelled(long userData) {
        return userData & ~CANCELLATION;
    }

    private void encode(Request request) {
        int at = ring.nextSubmission();
        boolean encoded = false;
        try {
            request.encode(ring.submissions(), at);
            encoded = true;
        } finally {
            if (!encoded) {
                // The place has already been taken.
                IoUringSqe.set(ring.submissions(), at, IORING_OP_NOP, -1, 0, 0, 0, 0, NOBODY);
            }
        }
    }

    /**
     * Submits the requests for which there was no room before, and ends those that were cancelled before that.
     *
     * @return whether everything is in the queue
     */
    boolean addRest() {
        while (!unsubmitted.isEmpty() && ring.hasRoom()) {
            Request request = (Request) unsubmitted.poll().execution();
            if (request.operation().isCancelRequested()) {
                request.finish(-Errno.ECANCELED.number());
            } else {
                encodeOrFail(request);
            }
        }
        // After the requests that they refer to. An operation that has completed meanwhile has another key, or is
        // cancelled a second time.
        while (!toCancel.isEmpty() && ring.hasRoom()) {
            OperationSlot operation = toCancel.poll();
            if (operation.isBegun() && ((Request) operation.execution()).isToEnd()) {
                IoUringSqe.set(ring.submissions(), ring.nextSubmission(), IORING_OP_ASYNC_CANCEL, -1, 0,
                        operation.key(), 0, 0, operation.key() | CANCELLATION);
            }
        }
        hasRest = !unsubmitted.isEmpty() || !toCancel.isEmpty();
        return !hasRest;
    }

    private void encodeOrFail(Request request) {
        try {
            encode(request);
        } catch (RuntimeException | Error e) {
            outcomes.failed(request.operation(), e);
        }
    }
}

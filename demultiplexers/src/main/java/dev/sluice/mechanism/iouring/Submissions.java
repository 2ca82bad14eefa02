package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_NOP;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.mechanism.operation.CancellationQueue;
import dev.sluice.mechanism.operation.OperationQueue;
import dev.sluice.mechanism.operation.Outcomes;
import java.util.function.ObjIntConsumer;

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

    Submissions(Ring ring, Outcomes outcomes) {
        this.ring = ring;
        this.outcomes = outcomes;
    }

    void add(IoUringOperation operation) {
        assert outcomes.isInside();
        if (ring.hasRoom() && unsubmitted.isEmpty()) {
            encode(operation);
        } else {
            unsubmitted.add(operation);
        }
    }

    /** {@return whether the kernel has taken the last request of an operation in flight} */
    boolean hasReachedKernel(IoUringOperation operation) {
        return !unsubmitted.contains(operation) && !ring.isPending(operation.key());
    }

    void cancel(IoUringOperation operation) {
        assert outcomes.isInside();
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

    private void encode(IoUringOperation operation) {
        int at = ring.nextSubmission();
        boolean encoded = false;
        try {
            Request request = operation.request;
            if (operation.polling) {
                Request.setPoll(operation, ring.submissions(), at, request.awaitedDescriptor(operation),
                        request.awaitedEvent(operation));
            } else {
                request.encode(operation, ring.submissions(), at);
            }
            encoded = true;
        } finally {
            if (!encoded) {
                // The place has already been taken.
                IoUringSqe.set(ring.submissions(), at, IORING_OP_NOP, -1, 0, 0, 0, 0, NOBODY);
            }
        }
    }

    /**
     * Submits the requests for which there was no room before.
     *
     * @param finish called with each operation that was cancelled before it was submitted, and its result
     * @return whether everything is in the queue
     */
    boolean addRest(ObjIntConsumer<IoUringOperation> finish) {
        while (!unsubmitted.isEmpty() && ring.hasRoom()) {
            IoUringOperation operation = (IoUringOperation) unsubmitted.poll();
            if (operation.isCancelRequested()) {
                finish.accept(operation, -Errno.ECANCELED.number());
            } else {
                encodeOrFail(operation);
            }
        }
        // After the requests that they refer to. An operation that has completed meanwhile has another key, or is
        // cancelled a second time.
        while (!toCancel.isEmpty() && ring.hasRoom()) {
            IoUringOperation operation = (IoUringOperation) toCancel.poll();
            if (operation.isBegun() && (operation.isCancelRequested() || operation.pausing)) {
                IoUringSqe.set(ring.submissions(), ring.nextSubmission(), IORING_OP_ASYNC_CANCEL, -1, 0,
                        operation.key(), 0, 0, operation.key() | CANCELLATION);
            }
        }
        return unsubmitted.isEmpty() && toCancel.isEmpty();
    }

    private void encodeOrFail(IoUringOperation operation) {
        try {
            encode(operation);
        } catch (RuntimeException | Error e) {
            outcomes.failed(operation, e);
        }
    }
}

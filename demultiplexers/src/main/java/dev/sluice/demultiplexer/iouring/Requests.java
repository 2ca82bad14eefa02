package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.handleset.WakeUp;
import dev.sluice.demultiplexer.operation.CancellationQueue;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.demultiplexer.operation.OperationQueue;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.Outcomes;
import dev.sluice.failure.CloseSteps;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the requests in one ring have in common: what they use, and what is submitted besides, which is cancellations,
 * the wake-up, and requests for which the queue had no space. Used inside.
 */
final class Requests implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(IoUringDemultiplexer.class);

    // User data that is not the key of any operation

    private static final long WAKE_UP = -1;
    /** Set in the user data of a cancellation, besides the key of its operation, in whose low half no place sets it. */
    private static final long CANCELLATION = 1L << Integer.SIZE - 1;

    final Ring ring;
    final Outcomes outcomes;
    final boolean multishotAccept;
    /** The smallest number of bytes that is sent without a copy. */
    final int zeroCopyFrom;
    /** Null if the kernel cannot choose buffers. */
    final BufferRing bufferRing;
    final PipePool pipes;
    /** Whether a request is submitted again by another thread if the kernel drops it as its thread ends. */
    final boolean outlivesThreads;
    /** Whether {@link #fill} has something to do besides the wake-up. */
    boolean hasRest;
    boolean wakeUpRequested;

    private final OperationProcessor processor;
    private final WakeUp wakeUp;
    private final OperationQueue unsubmitted = new OperationQueue();
    private final CancellationQueue toCancel = new CancellationQueue();
    private final CloseSteps disposal;
    private boolean staleCompletionLogged;

    /**
     * Sets up a ring.
     *
     * @param processor       executes its operations by the ring
     * @param size            of the queues
     * @param plain           whether to do without optional kernel features
     * @param outlivesThreads whether the requests of a thread continue when it has ended
     * @param flags           set-up flags to try one after the other
     * @throws IOException if the kernel or a policy refuses io_uring
     */
    Requests(OperationProcessor processor, IoUringSize size, boolean plain, boolean outlivesThreads, int... flags)
            throws IOException {
        this.processor = processor;
        this.outcomes = processor.outcomes();
        this.outlivesThreads = outlivesThreads;
        this.pipes = new PipePool(processor::isInside);
        wakeUp = WakeUp.readByKernel(processor.name());
        Ring opened = null;
        try {
            opened = Ring.open(Bindings.current(), processor::isInside, size.submissions(), size.completions(), flags);
            ring = opened;
            Features probed = Features.probe(ring, Features.NEEDED);
            Features features = plain ? Features.PLAIN : probed;
            multishotAccept = features.multishotAccept();
            zeroCopyFrom = features.zeroCopySend() ? size.zeroCopyFrom() : IoUringSize.NEVER;
            bufferRing = features.multishotReceive()
                    ? BufferRing.register(ring, outcomes.providedBuffers(), size.providedBuffers()) : null;
            // The wake-up first, so that nothing can make the kernel read it any more.
            disposal = new CloseSteps(wakeUp::close, ring::close,
                    bufferRing == null ? () -> { } : bufferRing::close, pipes::close);
        } catch (Throwable e) {
            if (opened != null) {
                opened.close();
            }
            wakeUp.close();
            throw e;
        }
    }

    /** Ends a wait in the kernel, the current one or else the next. Open to any thread. */
    void wakeUp() {
        wakeUp.signal();
    }

    // Submitting

    /** Keeps a request until the submission queue has space. */
    void keep(OperationSlot operation) {
        hasRest = true;
        unsubmitted.add(operation);
    }

    /** {@return whether the kernel has taken the last request of an operation in flight} */
    boolean hasReachedKernel(OperationSlot operation) {
        return !unsubmitted.contains(operation) && !ring.isPending(operation.key());
    }

    /** Makes the kernel cancel the request of an operation. */
    void cancelRequest(OperationSlot operation) {
        assert outcomes.isInside();
        hasRest = true;
        toCancel.add(operation);
    }

    /** {@return whether everything to be submitted is in the submission queue} */
    boolean fill() {
        if (!wakeUpRequested && ring.hasSpace()) {
            ring.set(IORING_OP_READ, (int) wakeUp.descriptor(), 0, wakeUp.drainAddress(), WakeUp.DRAINED_BYTES, 0,
                    WAKE_UP);
            ring.add();
            wakeUpRequested = true;
        }
        submitRest();
        return !hasRest && wakeUpRequested;
    }

    /** Submits the requests for which the queue had no space, and completes those that have been cancelled since. */
    private void submitRest() {
        while (!unsubmitted.isEmpty() && ring.hasSpace()) {
            Request<?> request = (Request<?>) unsubmitted.poll().execution();
            try {
                if (request.operation.isCancelRequested()) {
                    request.finish(-Errno.ECANCELED.number());
                } else {
                    request.encode();
                    ring.add();
                }
            } catch (RuntimeException | Error e) {
                outcomes.failed(request.operation, e);
            }
        }
        // After the requests that they refer to. An operation that has completed in the meantime has another key, or is
        // cancelled a second time.
        while (!toCancel.isEmpty() && ring.hasSpace()) {
            OperationSlot operation = toCancel.poll();
            if (operation.isBegun() && ((Request<?>) operation.execution()).isToEnd()) {
                ring.set(IORING_OP_ASYNC_CANCEL, -1, 0, operation.key(), 0, 0, operation.key() | CANCELLATION);
                ring.add();
            }
        }
        hasRest = !unsubmitted.isEmpty() || !toCancel.isEmpty();
    }

    // Completions of no operation

    /**
     * Takes a completion whose user data is no key of an operation in flight.
     *
     * @param data   its user data
     * @param result its result
     * @param flags  its flags
     */
    void takeOther(long data, int result, int flags) {
        if (data == WAKE_UP) {
            if (result > 0) {
                wakeUp.drained();
            }
            wakeUpRequested = false;
        } else if ((data & CANCELLATION) != 0) {
            tookCancellation(outcomes.operation(data & ~CANCELLATION), result);
        } else {
            ignoreStaleCompletion(data, result, flags);
        }
    }

    /**
     * Cancels again what the kernel has not found. A request whose descriptor becomes ready just when the kernel begins
     * to wait for it is queued to be attempted again, and until then stands in no list that a cancellation searches.
     * After that attempt it may wait forever (seen on Linux 6.18, with sends of which a part had gone out).
     *
     * <p>EALREADY needs no second cancellation. It says that a thread of the kernel executes the request, which by then
     * has been interrupted, or that its timeout is expiring: the request completes without more, and has to be waited
     * for (io_uring_prep_cancel(3)). Such a thread would begin to wait for readiness, out of reach of the interrupt,
     * for a request with IOSQE_ASYNC only, which no request here has.
     */
    private void tookCancellation(OperationSlot operation, int result) {
        if (operation != null && (Errno.ENOENT.is(result) || outlivesThreads && Errno.ECANCELED.is(result))) {
            cancelRequest(operation);
        }
    }

    /** Ignores a completion of no operation, which must not affect those in flight, and logs the first one. */
    private void ignoreStaleCompletion(long data, int result, int flags) {
        if (!staleCompletionLogged) {
            staleCompletionLogged = true;
            LOG.warn("{}: ignoring a completion that matches no operation in flight; further ones are not logged:"
                    + " user data {}, result {}, flags {}", processor, Long.toHexString(data), result,
                    Integer.toHexString(flags));
        }
    }

    @Override
    public void close() {
        disposal.run();
    }
}

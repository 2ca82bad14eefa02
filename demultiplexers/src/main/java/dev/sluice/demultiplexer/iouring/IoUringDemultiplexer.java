package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_MORE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_COOP_TASKRUN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_DEFER_TASKRUN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_R_DISABLED;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SINGLE_ISSUER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SUBMIT_ALL;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.handleset.WakeUp;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.CancellationQueue;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationQueue;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.Outcomes;
import dev.sluice.demultiplexer.operation.SingleThreadedProcessor;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completion through io_uring: one call submits all operations begun since the last call, and waits.
 *
 * <p>The ring belongs to the loop thread and does its work only when that thread enters it (DEFER_TASKRUN), if the
 * kernel supports this; an operation that must wait for a socket then causes no interruption. To end the operations
 * that such a thread leaves behind, its end must be observed, so this mode needs {@code /proc}; without it the kernel
 * interrupts the thread.
 *
 * <p>The kernel cancels the requests of a thread that ends. A virtual thread's requests belong to the carriers that it
 * happens to run on, which may end at any time, so no virtual thread can be the loop thread.
 */
public final class IoUringDemultiplexer extends SingleThreadedProcessor {

    /** The name by which it is chosen. */
    public static final String NAME = "io_uring";

    private static final Logger LOG = LoggerFactory.getLogger(IoUringDemultiplexer.class);
    private static final int BEST = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_R_DISABLED
            | IORING_SETUP_SUBMIT_ALL;
    private static final int COOPERATIVE = IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SUBMIT_ALL;
    private static final int PLAIN = 0;

    /**
     * No thread can enter a ring whose single issuer has ended. Its requests make no more progress, and are dropped
     * when the ring is closed.
     */
    private static final Consumer<OperationSlot> ABANDONING = operation -> request(operation).abandon();

    // User data that is not the key of any operation

    private static final long WAKE_UP = -1;
    /** Set in the user data of a cancellation, besides the key of its operation, in whose low half no place sets it. */
    private static final long CANCELLATION = 1L << Integer.SIZE - 1;

    // What requests use
    final Ring ring;
    final Outcomes outcomes = outcomes();
    final boolean multishotAccept;
    /** The smallest number of bytes that is sent without a copy. */
    final int zeroCopyFrom;
    /** Null if the kernel cannot choose buffers. */
    final BufferRing bufferRing;
    final PipePool pipes = new PipePool(this::isInside);

    private final WakeUp wakeUp;
    private final Path procfs;
    private final OperationQueue unsubmitted = new OperationQueue();
    private final CancellationQueue toCancel = new CancellationQueue();
    /** Whether {@link #submitRest} has something to do. */
    private boolean hasRest;
    private final CloseSteps disposal;
    private Thread issuer;
    private KernelTask issuerTask;
    private boolean wakeUpRequested;
    private boolean staleCompletionLogged;

    /**
     * Opens it.
     *
     * @throws IOException if the kernel or a policy refuses io_uring
     */
    public IoUringDemultiplexer() throws IOException {
        this(IoUringSize.configured(), false);
    }

    /**
     * Opens it with queues of a certain size.
     *
     * @param size  of the queues
     * @param plain whether to do without optional kernel features
     * @throws IOException if the kernel or a policy refuses io_uring
     */
    public IoUringDemultiplexer(IoUringSize size, boolean plain) throws IOException {
        this(size, plain, KernelTask.PROCFS);
    }

    /** Opens it with the place where the kernel shows its tasks, if it shows them at all. */
    IoUringDemultiplexer(IoUringSize size, boolean plain, Path procfs) throws IOException {
        super(NAME, size.providedBuffers());
        this.procfs = procfs;
        wakeUp = WakeUp.readByKernel(NAME);
        Ring opened = null;
        try {
            int[] flags = plain ? new int[] {PLAIN}
                    : KernelTask.isShown(procfs) ? new int[] {BEST, COOPERATIVE, PLAIN}
                    : new int[] {COOPERATIVE, PLAIN};
            opened = Ring.open(Bindings.current(), this::isInside, size.submissions(), size.completions(), flags);
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

    @Override
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new IoUringAssociation(this, handle);
    }

    // Requests

    @Override
    protected Execution<?> newExecution(Arguments asked) {
        return Kinds.newRequest(this, asked);
    }

    private static Request<?> request(OperationSlot operation) {
        return (Request<?>) operation.execution();
    }

    /** Puts a request into the submission queue, or keeps it until the queue has space. */
    void submit(Request<?> request) {
        assert isInside();
        if (!hasRest && ring.hasSpace()) {
            request.encode();
            ring.add();
        } else {
            hasRest = true;
            unsubmitted.add(request.operation);
        }
    }

    /** {@return whether the kernel has taken the last request of an operation in flight} */
    boolean hasReachedKernel(OperationSlot operation) {
        return !unsubmitted.contains(operation) && !ring.isPending(operation.key());
    }

    /** Makes the kernel cancel the request of an operation. */
    void cancelRequest(OperationSlot operation) {
        assert isInside();
        hasRest = true;
        toCancel.add(operation);
    }

    /** {@return whether everything to be submitted is in the submission queue, and nothing has completed over it} */
    private boolean fillSubmissionQueue() {
        if (!wakeUpRequested && ring.hasSpace()) {
            ring.set(IORING_OP_READ, (int) wakeUp.descriptor(), 0, wakeUp.drainAddress(), WakeUp.DRAINED_BYTES, 0,
                    WAKE_UP);
            ring.add();
            wakeUpRequested = true;
        }
        submitRest();
        return !hasRest && wakeUpRequested && !hasCompleted();
    }

    /** Submits the requests for which the queue had no space, and completes those that have been cancelled since. */
    private void submitRest() {
        while (!unsubmitted.isEmpty() && ring.hasSpace()) {
            Request<?> request = request(unsubmitted.poll());
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
            if (operation.isBegun() && request(operation).isToEnd()) {
                ring.set(IORING_OP_ASYNC_CANCEL, -1, 0, operation.key(), 0, 0, operation.key() | CANCELLATION);
                ring.add();
            }
        }
        hasRest = !unsubmitted.isEmpty() || !toCancel.isEmpty();
    }

    // The call

    @Override
    protected void requireLoopThread() {
        if (VirtualThreads.include(Thread.currentThread())) {
            throw new IllegalStateException(this + " cannot be run by a virtual thread, as its requests end with the"
                    + " carrier: run it on a platform thread");
        }
    }

    @Override
    protected void execute(long timeoutNanos) throws IOException {
        if (issuer == null && VirtualThreads.include(Thread.currentThread())) {
            // The caller closes a demultiplexer that no thread has waited on: the kernel knows of no request yet.
            forEachBegun(ABANDONING);
            return;
        }
        if (issuer == null) {
            if (ring.isSingleIssuer()) {
                issuerTask = KernelTask.current(procfs, KernelTask.PATIENCE);
            }
            ring.enable();
            issuer = Thread.currentThread();
        } else if (ring.isSingleIssuer() && issuer != Thread.currentThread()) {
            if (!issuerTask.awaitEnd()) {
                throw new IOException(this + ": " + issuer + " has ended, but the kernel's " + issuerTask
                        + " is still at work on its requests");
            }
            take();
            forEachBegun(ABANDONING);
            return;
        }
        boolean all = wakeUpRequested && !hasRest || fillSubmissionQueue();
        if (bufferRing != null) {
            bufferRing.publish();
        }
        boolean look = timeoutNanos == 0 || !all;
        int result = ring.enter(look ? 0 : 1, look ? FOREVER : timeoutNanos);
        result = ring.afterRefusal(result, take());
        if (result < 0 && !Errno.ETIME.is(result) && !Errno.EINTR.is(result)) {
            throw new SystemCallException("io_uring_enter", toString(), result);
        }
    }

    /** {@return whether there were any completions} */
    private boolean take() {
        int count = ring.completions();
        for (int left = count; left > 0; left--) {
            long key = ring.userData();
            int result = ring.result();
            int flags = ring.flags();
            ring.completionSeen();
            if (key == WAKE_UP) {
                wakeUp.drained();
                wakeUpRequested = false;
            } else if ((key & CANCELLATION) != 0) {
                tookCancellation(outcomes.operation(key & ~CANCELLATION), result);
            } else {
                OperationSlot operation = outcomes.operation(key);
                if (operation == null) {
                    ignoreStaleCompletion(key, result, flags);
                } else {
                    handleCompletionChecked(operation, result, flags);
                }
            }
        }
        return count > 0;
    }

    /**
     * Cancels again what the kernel has not found. A request whose descriptor becomes ready just when the kernel begins
     * to wait for it is queued to be attempted again, and until then stands in no list that a cancellation searches.
     * After that attempt it may wait for ever (seen on Linux 6.18, with sends of which a part had gone out).
     *
     * <p>EALREADY needs no second cancellation. It says that a thread of the kernel executes the request, which by then
     * has been interrupted, or that its timeout is expiring: the request completes without more, and has to be waited
     * for (io_uring_prep_cancel(3)). Such a thread would begin to wait for readiness, out of reach of the interrupt,
     * for a request with IOSQE_ASYNC only, which no request here has.
     */
    private void tookCancellation(OperationSlot operation, int result) {
        if (operation != null && Errno.ENOENT.is(result)) {
            cancelRequest(operation);
        }
    }

    /** Ignores a completion of no operation, which must not affect those in flight, and logs the first one. */
    private void ignoreStaleCompletion(long key, int result, int flags) {
        if (!staleCompletionLogged) {
            staleCompletionLogged = true;
            LOG.warn("{}: ignoring a completion that matches no operation in flight; further ones are not logged:"
                    + " user data {}, result {}, flags {}", this, Long.toHexString(key), result,
                    Integer.toHexString(flags));
        }
    }

    private void handleCompletionChecked(OperationSlot operation, int result, int flags) {
        try {
            request(operation).take(result, flags);
        } catch (RuntimeException | Error e) {
            if ((flags & IORING_CQE_F_MORE) == 0) {
                outcomes.failed(operation, e);
            } else {
                // The kernel continues it, and reports when it has ended.
                outcomes.failed(e);
                operation.cancel();
            }
        }
    }

    // The end

    @Override
    protected void signal() {
        wakeUp.signal();
    }

    @Override
    protected void dispose() {
        disposal.run();
    }
}

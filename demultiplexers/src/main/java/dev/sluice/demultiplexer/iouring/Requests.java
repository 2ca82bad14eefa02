package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_IOWQ_MAX_WORKERS;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.handleset.WakeUp;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.operation.CancellationQueue;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.demultiplexer.operation.OperationQueue;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.Outcomes;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The common state of the requests in one ring, and the other entries that are submitted: cancellations, the wake-up,
 * and requests for which the queue had no space. Used inside.
 */
final class Requests implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(IoUringDemultiplexer.class);

    // User data that are not the key of an operation

    private static final long WAKE_UP = -1;
    private static final long PAUSE = Long.MIN_VALUE;
    /** A bit in the user data of a cancellation, in addition to the key of the operation, in which it is never set. */
    private static final long CANCELLATION = 1L << Integer.SIZE - 1;

    final Ring ring;
    /** The memory of programs that is registered with the ring. */
    final RegisteredBuffers registered;
    final Outcomes outcomes;
    /** The optional features of the kernel that are used. */
    final Features features;
    /** The minimum number of bytes that are sent without a copy. */
    final int zeroCopyFrom;
    /** Null if the kernel cannot choose buffers. */
    final @Nullable BufferRing bufferRing;
    final PipePool pipes;
    /** The threads for operations on files that the kernel or a file system does not execute as requests. */
    final FilePool files;
    /** The number of operations that wait for a call of those threads. */
    int pooled;
    /** Whether an operation has ever been given to the pool. */
    boolean hasPooled;
    final CachedTransfers cached;
    /** Whether a file has been read or written, so that {@link #cached} is used. */
    boolean servesFiles;
    /**
     * Whether a request that the kernel drops because its thread has terminated is submitted again by another thread.
     */
    final boolean outlivesThreads;
    /**
     * Whether requests may be linked. Where several threads submit, the kernel could take a part of a chain for one
     * thread and the rest for another, which would be a chain no longer.
     */
    final boolean links;
    /** Whether {@link #fill} has something to do besides the wake-up. */
    boolean hasDeferred;
    boolean wakeUpRequested;

    private final OperationProcessor processor;
    private final WakeUp wakeUp;
    private final OperationQueue unsubmitted = new OperationQueue();
    private final CancellationQueue toCancel = new CancellationQueue();
    /** The operations whose request the kernel has not found, to be cancelled again after a pause. */
    private final CancellationQueue notFound = new CancellationQueue();
    private boolean pauseRequested;
    private final CloseSteps disposal;
    private boolean staleCompletionLogged;

    /**
     * Sets up a ring.
     *
     * @param processor       the processor whose operations the ring executes
     * @param size            the sizes of queues and buffers
     * @param plain           whether not to use optional kernel features
     * @param outlivesThreads whether the operations of a thread that terminates are continued
     * @param flags           the set-up flags, in the order in which they are tried
     * @throws IOException              if the kernel or a policy refuses io_uring
     * @throws IllegalArgumentException as for {@link FilePool#configuredThreads()}
     */
    Requests(OperationProcessor processor, IoUringSize size, boolean plain, boolean outlivesThreads, int... flags)
            throws IOException {
        this.processor = processor;
        this.outcomes = processor.outcomes();
        this.outlivesThreads = outlivesThreads;
        this.links = !plain && !outlivesThreads;
        this.pipes = new PipePool(processor::isInside);
        this.cached = new CachedTransfers(Bindings.current(), false, outlivesThreads);
        int workers = IoUringSize.configuredWorkers();
        wakeUp = WakeUp.readByKernel(processor.name());
        Ring opened = null;
        try {
            files = new FilePool("sluice-" + processor.name() + "-file", FilePool.configuredThreads(), wakeUp::signal,
                    outcomes::failed);
            opened = RingOpening.open(Bindings.current(), processor::isInside, size.submissions(), size.completions(),
                    flags);
            ring = opened;
            registered = new RegisteredBuffers(ring);
            Features probed = Features.probe(ring, Features.REQUIRED);
            features = plain ? Features.PLAIN : probed;
            zeroCopyFrom = features.zeroCopySend() ? size.zeroCopyFrom() : IoUringSize.NEVER;
            limitWorkers(ring, workers);
            bufferRing = features.multishotReceive()
                    ? BufferRing.register(ring, outcomes.providedBuffers(), size.providedBuffers()) : null;
            // The wake-up before the ring, so that no signal can make the kernel read it any more.
            disposal = new CloseSteps(files::close, wakeUp::close, ring::close, registered::close,
                    bufferRing == null ? () -> { } : bufferRing::close, pipes::close, cached::close);
        } catch (Throwable e) {
            if (opened != null) {
                opened.close();
            }
            wakeUp.close();
            throw e;
        }
    }

    /** Limits the number of kernel threads for regular files, unless it is 0. */
    private static void limitWorkers(Ring ring, int workers) throws SystemCallException {
        if (workers == 0) {
            return;
        }
        try (MemoryBlock limits = Bindings.current().memory().allocate(2 * Integer.BYTES)) {
            // The second limit, 0 for no change, is that of the threads that wait for sockets and pipes.
            limits.buffer().putInt(0, workers);
            ring.register("maximum number of workers", IORING_REGISTER_IOWQ_MAX_WORKERS, limits.address(), 2);
        }
    }

    /** Ends a wait in the kernel, the current one or else the next. May be called by any thread. */
    void wakeUp() {
        wakeUp.signal();
    }

    // Submitting

    /** Defers a request until the submission queue has space. */
    void defer(OperationSlot operation) {
        hasDeferred = true;
        unsubmitted.add(operation);
    }

    /** {@return whether the kernel has taken the last request of an operation in flight} */
    boolean hasReachedKernel(OperationSlot operation) {
        return !unsubmitted.contains(operation) && !ring.isPending(operation.key());
    }

    /** Makes the kernel cancel the request of an operation. */
    void cancelRequest(OperationSlot operation) {
        assert outcomes.isInside();
        hasDeferred = true;
        toCancel.add(operation);
    }

    /** {@return whether everything to submit has been put into the submission queue} */
    boolean fill() {
        if (!wakeUpRequested && ring.hasSpace()) {
            ring.set(IORING_OP_READ, (int) wakeUp.descriptor(), 0, wakeUp.drainAddress(), WakeUp.DRAINED_BYTES, 0,
                    WAKE_UP);
            ring.add();
            wakeUpRequested = true;
        }
        submitDeferred();
        return !hasDeferred && wakeUpRequested;
    }

    /** Submits requests for which the queue had no space, unless they have been cancelled, and cancellations. */
    private void submitDeferred() {
        while (!unsubmitted.isEmpty() && ring.hasSpace()) {
            OperationSlot next = unsubmitted.poll();
            assert next != null;
            Request<?> request = Request.of(next);
            try {
                if (request.isCancelled()) {
                    request.finish(-Errno.ECANCELED.number());
                } else {
                    request.encode();
                    ring.add();
                }
            } catch (RuntimeException | Error e) {
                outcomes.failed(request.operation, e);
            }
        }
        // After the requests that they refer to. An operation that has completed is skipped; one that has been started
        // again may be cancelled a second time.
        while (!toCancel.isEmpty() && ring.hasSpace()) {
            OperationSlot operation = toCancel.poll();
            assert operation != null;
            if (operation.isBegun() && Request.of(operation).isToEnd()) {
                ring.set(IORING_OP_ASYNC_CANCEL, -1, 0, Request.of(operation).userDataToCancel(), 0, 0,
                        operation.key() | CANCELLATION);
                ring.add();
            }
        }
        if (!notFound.isEmpty() && !pauseRequested && ring.hasSpace()) {
            ring.setPause(PAUSE);
            ring.add();
            pauseRequested = true;
        }
        hasDeferred = !unsubmitted.isEmpty() || !toCancel.isEmpty() || !notFound.isEmpty() && !pauseRequested;
    }

    // Completions of no operation

    /**
     * Handles a completion whose user data are not the key of an operation in flight.
     *
     * @param data   the user data
     * @param result the result
     * @param flags  the flags
     */
    void takeOther(long data, int result, int flags) {
        if (data == WAKE_UP) {
            if (result > 0) {
                wakeUp.drained();
            }
            wakeUpRequested = false;
        } else if (data == PAUSE) {
            pauseRequested = false;
            cancelNotFound();
        } else if ((data & CANCELLATION) != 0) {
            handleCancellation(outcomes.operation(data & ~CANCELLATION), result);
        } else if (WriteAndForce.isForce(data)) {
            takeForce(data, result, flags);
        } else {
            ignoreStaleCompletion(data, result, flags);
        }
    }

    private void takeForce(long data, int result, int flags) {
        OperationSlot operation = outcomes.operation(WriteAndForce.key(data));
        if (operation != null && operation.execution() instanceof WriteAndForce chain && chain.isChained()) {
            chain.takeForce(data, result);
        } else {
            ignoreStaleCompletion(data, result, flags);
        }
    }

    /**
     * Repeats a cancellation if the kernel has not found the request. A request whose descriptor becomes ready just
     * when the kernel begins to wait for it is queued for another attempt, and until then is in no list that a
     * cancellation searches. After that attempt it may wait forever (seen on Linux 6.18, with partial sends).
     *
     * <p>A request that a disk executes is in none of these lists either, and ends when the disk answers. Cancellations
     * that follow each other immediately would use a whole processor until then, so a pause precedes each repetition.
     *
     * <p>EALREADY needs no second cancellation. It means that a kernel thread executes the request and has been
     * interrupted, or that its timeout is expiring: the request will complete (io_uring_prep_cancel(3)). Such a thread
     * would begin to wait for readiness after the interrupt only for a request with IOSQE_ASYNC, which is not used
     * here.
     */
    private void handleCancellation(@Nullable OperationSlot operation, int result) {
        if (operation != null && Errno.ENOENT.is(result)) {
            hasDeferred = true;
            notFound.add(operation);
        } else if (operation != null && outlivesThreads && Errno.ECANCELED.is(result)) {
            cancelRequest(operation);
        }
    }

    private void cancelNotFound() {
        while (!notFound.isEmpty()) {
            OperationSlot operation = notFound.poll();
            assert operation != null;
            cancelRequest(operation);
        }
    }

    /** Ignores a completion that matches no operation in flight, and logs the first one. */
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

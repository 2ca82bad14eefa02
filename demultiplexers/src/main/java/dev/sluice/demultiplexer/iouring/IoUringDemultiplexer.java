package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_COOP_TASKRUN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_DEFER_TASKRUN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_R_DISABLED;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SINGLE_ISSUER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SUBMIT_ALL;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.SingleThreadedProcessor;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.VirtualThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Completion by io_uring: one call submits all operations that have been begun since the last call, and waits.
 *
 * <p>The ring belongs to the loop thread and does its work only when that thread enters it (DEFER_TASKRUN), if the
 * kernel supports this; an operation that waits for a socket then does not interrupt the thread. The operations of a
 * loop thread that terminates can be ended only when the kernel's task has ended, which is observed in {@code /proc}.
 * Without {@code /proc}, this mode is not used.
 *
 * <p>The kernel cancels the requests of a thread that terminates. The requests of a virtual thread belong to its
 * carriers, which may terminate at any time, so a virtual thread cannot be the loop thread.
 */
public final class IoUringDemultiplexer extends SingleThreadedProcessor {

    /** The name by which it is chosen. */
    public static final String NAME = "io_uring";

    private static final int BEST = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_R_DISABLED
            | IORING_SETUP_SUBMIT_ALL;
    private static final int COOPERATIVE = IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SUBMIT_ALL;
    private static final int PLAIN = 0;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Completes operations after the single issuer has terminated. No thread can enter the ring then: its requests make
     * no more progress, and are dropped when the ring is closed.
     */
    private static final Consumer<OperationSlot> ABANDONING =
            operation -> Request.of(operation).abandon();

    private final Requests requests;
    private final Ring ring;
    private final Path procfs;
    private @Nullable Thread issuer;
    private @Nullable KernelTask issuerTask;

    /**
     * Opens a demultiplexer of the configured size.
     *
     * @throws IOException if the kernel or a policy refuses io_uring
     */
    public IoUringDemultiplexer() throws IOException {
        this(IoUringSize.configured(), false);
    }

    /**
     * Opens a demultiplexer.
     *
     * @param size  the sizes of queues and buffers
     * @param plain whether not to use optional kernel features
     * @throws IOException if the kernel or a policy refuses io_uring
     */
    public IoUringDemultiplexer(IoUringSize size, boolean plain) throws IOException {
        this(size, plain, KernelTask.PROCFS);
    }

    /** Opens a demultiplexer, given the directory in which the kernel shows its tasks, if it does. */
    IoUringDemultiplexer(IoUringSize size, boolean plain, Path procfs) throws IOException {
        super(NAME, size.providedBuffers());
        this.procfs = procfs;
        int[] flags = plain ? new int[] {PLAIN}
                : KernelTask.isShown(procfs) ? new int[] {BEST, COOPERATIVE, PLAIN} : new int[] {COOPERATIVE, PLAIN};
        this.requests = new Requests(this, size, plain, false, flags);
        this.ring = requests.ring;
    }

    @Override
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new IoUringAssociation(this, handle);
    }

    @Override
    protected int register(ByteBuffer buffer, long address, int length) {
        return requests.registered.add(buffer, address, length);
    }

    @Override
    protected void unregister(int entry) {
        requests.registered.remove(entry);
    }

    @Override
    protected Execution<?> newExecution(Arguments arguments) {
        return Kinds.newRequest(requests, arguments);
    }

    // The call

    @Override
    protected void requireLoopThread() {
        if (VirtualThreads.isVirtual(Thread.currentThread())) {
            throw new IllegalStateException(this + " cannot be run by a virtual thread, because its requests end with"
                    + " the carrier: run it on a platform thread");
        }
    }

    @Override
    protected void execute(long timeoutNanos) throws IOException {
        if (issuer == null && VirtualThreads.isVirtual(Thread.currentThread())) {
            // The caller closes a demultiplexer that no thread has waited on: no request has been submitted.
            abandonAll();
            return;
        }
        if (issuer == null) {
            if (ring.isSingleIssuer()) {
                issuerTask = KernelTask.current(procfs, KernelTask.TIMEOUT);
            }
            ring.enable();
            issuer = Thread.currentThread();
        } else if (ring.isSingleIssuer() && issuer != Thread.currentThread()) {
            assert issuerTask != null;
            if (!issuerTask.awaitEnd()) {
                throw new IOException(this + ": " + issuer + " has terminated, but the kernel's " + issuerTask
                        + " has not ended its requests");
            }
            abandonAll();
            return;
        }
        if (requests.servesFiles && requests.cached.beginIteration(
                hasCompleted() && ring.pendingSubmissions() == 0 && !requests.hasDeferred)) {
            return;
        }
        boolean all = requests.wakeUpRequested && !requests.hasDeferred || requests.fill() && !hasCompleted();
        if (requests.bufferRing != null) {
            requests.bufferRing.publish();
        }
        boolean noWait = timeoutNanos == 0 || !all;
        int result = ring.enter(noWait ? 0 : 1, noWait ? FOREVER : timeoutNanos);
        result = ring.afterRefusal(result, Request.takeAll(requests));
        if (result < 0 && !Errno.ETIME.is(result) && !Errno.EINTR.is(result)) {
            throw new SystemCallException("io_uring_enter", toString(), result);
        }
    }

    /** Completes all operations that are being executed, after waiting for the calls that threads are making. */
    private void abandonAll() {
        Request.takeAll(requests);
        forEachBegun(ABANDONING);
        while (requests.pooled > 0) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            Request.takeAll(requests);
            forEachBegun(ABANDONING);
        }
    }

    // The end

    @Override
    protected void signal() {
        requests.wakeUp();
    }

    @Override
    protected void dispose() {
        requests.close();
    }
}

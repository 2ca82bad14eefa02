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
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

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

    private static final int BEST = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_R_DISABLED
            | IORING_SETUP_SUBMIT_ALL;
    private static final int COOPERATIVE = IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SUBMIT_ALL;
    private static final int PLAIN = 0;

    /**
     * No thread can enter a ring whose single issuer has ended. Its requests make no more progress, and are dropped
     * when the ring is closed.
     */
    private static final Consumer<OperationSlot> ABANDONING =
            operation -> ((Request<?>) operation.execution()).abandon();

    private final Requests requests;
    private final Ring ring;
    private final Path procfs;
    private Thread issuer;
    private KernelTask issuerTask;

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
    protected Execution<?> newExecution(Arguments asked) {
        return Kinds.newRequest(requests, asked);
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
            Request.takeAll(requests);
            forEachBegun(ABANDONING);
            return;
        }
        boolean all = requests.wakeUpRequested && !requests.hasRest || requests.fill() && !hasCompleted();
        if (requests.bufferRing != null) {
            requests.bufferRing.publish();
        }
        boolean look = timeoutNanos == 0 || !all;
        int result = ring.enter(look ? 0 : 1, look ? FOREVER : timeoutNanos);
        result = ring.afterRefusal(result, Request.takeAll(requests));
        if (result < 0 && !Errno.ETIME.is(result) && !Errno.EINTR.is(result)) {
            throw new SystemCallException("io_uring_enter", toString(), result);
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

package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SUBMIT_ALL;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.CollectedCompletions;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.MultiThreadedProcessor;
import dev.sluice.demultiplexer.operation.VectorForm;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Completion by io_uring for any number of threads, which share a ring. One of them at a time waits in the kernel; the
 * others sleep until that thread has returned with completions, and the thread that began to sleep last is woken up
 * first. All of them submit.
 *
 * <p>The kernel does the work of a request in the thread that has submitted it, which it interrupts. The modes that
 * defer this work to the waits of one thread are not used: a thread whose hook computes would delay completions that
 * others could dispatch. When a thread terminates, the kernel drops its requests, and another thread submits them
 * again.
 */
public final class MultiThreadedIoUringDemultiplexer extends MultiThreadedProcessor {

    /** The name by which it is chosen. */
    public static final String NAME = "io_uring-multi-threaded";

    private static final int[] FLAGS = {IORING_SETUP_SUBMIT_ALL, 0};

    private final Requests requests;
    private final Ring ring;

    // Used inside
    /** The batch of the thread that waits in the kernel, or has returned and not entered yet; or null. */
    private @Nullable RingCompletions inKernel;
    /** The batch of the thread that began to sleep last; or null. */
    private @Nullable RingCompletions lastAsleep;

    /**
     * Opens a demultiplexer.
     *
     * @param size  the sizes of queues and buffers
     * @param plain whether not to use optional kernel features
     * @throws IOException if the kernel or a policy refuses io_uring
     */
    public MultiThreadedIoUringDemultiplexer(IoUringSize size, boolean plain) throws IOException {
        super(NAME, VectorForm.POSIX, size.providedBuffers());
        requests = new Requests(this, size, plain, true, FLAGS);
        ring = requests.ring;
        try {
            reserveForClose();
        } catch (Throwable e) {
            requests.close();
            throw e;
        }
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

    @Override
    public CollectedCompletions newCompletions(int capacity) {
        return new RingCompletions(capacity);
    }

    // Submitting

    /** {@return whether everything to submit has been put into the submission queue and published} */
    private boolean publish() {
        boolean all = requests.fill();
        ring.publish();
        if (requests.bufferRing != null) {
            requests.bufferRing.publish();
        }
        return all;
    }

    /** {@return whether the kernel has taken all published entries} The next wait submits the others. */
    private boolean submit() {
        if (ring.pendingSubmissions() > 0) {
            ring.enterPublished(0, FOREVER);
        }
        return ring.pendingSubmissions() == 0;
    }

    @Override
    protected boolean hasToTake() {
        return requests.hasDeferred;
    }

    @Override
    protected boolean handOver(boolean othersWait) {
        publish();
        if (!othersWait) {
            return false;
        }
        boolean submitted = submit();
        if (submitted && !requests.wakeUpRequested) {
            // The queue had no space for the read of the wake-up, without which no signal ends a wait in the kernel.
            publish();
            submitted = submit();
        }
        return !submitted || inKernel == null && lastAsleep != null;
    }

    // Waiting

    @Override
    protected long beginWait(CollectedCompletions progress, long timeoutNanos) {
        RingCompletions own = (RingCompletions) progress;
        if (!publish() || timeoutNanos == 0) {
            return 0;
        }
        if (inKernel == null) {
            inKernel = own;
            return timeoutNanos;
        }
        if (!submit()) {
            return 0;
        }
        own.sleeper = Thread.currentThread();
        own.signalled = false;
        own.nextAsleep = lastAsleep;
        lastAsleep = own;
        return timeoutNanos;
    }

    @Override
    protected void await(CollectedCompletions progress, long timeoutNanos) {
        RingCompletions own = (RingCompletions) progress;
        if (own.sleeper == null) {
            own.entered = ring.enterPublished(timeoutNanos == 0 ? 0 : 1, timeoutNanos == 0 ? FOREVER : timeoutNanos);
        } else {
            own.sleep(timeoutNanos);
        }
    }

    @Override
    protected boolean take(CollectedCompletions progress) throws IOException {
        RingCompletions own = (RingCompletions) progress;
        boolean signalled = endWait(own);
        boolean armed = requests.wakeUpRequested;
        // First, so that operations that are started all the time do not leave nothing for those that wait.
        requests.cached.beginIteration(false);
        int result = ring.afterRefusal(own.entered, Request.takeAll(requests));
        own.entered = 0;
        if (result < 0 && !Errno.ETIME.is(result) && !Errno.EINTR.is(result)) {
            throw new SystemCallException("io_uring_enter", toString(), result);
        }
        // A thread that does not wait may take the signal of the thread in the kernel.
        return signalled || armed && !requests.wakeUpRequested;
    }

    /** {@return whether the thread has been signalled, or may have been} */
    private boolean endWait(RingCompletions own) {
        if (inKernel == own) {
            inKernel = null;
            return true;
        }
        if (own.sleeper == null) {
            return false;
        }
        own.sleeper = null;
        if (!own.signalled) {
            remove(own);
        }
        return own.signalled;
    }

    private void remove(RingCompletions own) {
        if (lastAsleep == own) {
            lastAsleep = own.nextAsleep;
        } else {
            RingCompletions later = lastAsleep;
            assert later != null;
            while (later.nextAsleep != own) {
                later = later.nextAsleep;
                assert later != null;
            }
            later.nextAsleep = own.nextAsleep;
        }
        own.nextAsleep = null;
    }

    @Override
    protected void signal() {
        RingCompletions asleep = lastAsleep;
        if (asleep == null) {
            requests.wakeUp();
        } else {
            lastAsleep = asleep.nextAsleep;
            asleep.nextAsleep = null;
            asleep.signalled = true;
            LockSupport.unpark(asleep.sleeper);
        }
    }

    @Override
    protected void dispose() {
        requests.close();
    }

    /** A batch of completions, and the state of the wait of its thread. */
    private final class RingCompletions extends CollectedCompletions {

        /** The result of the last call of the thread. */
        private int entered;
        /** The thread while it sleeps; otherwise null. */
        private @Nullable Thread sleeper;
        private @Nullable RingCompletions nextAsleep;
        private volatile boolean signalled;

        RingCompletions(int capacity) {
            super(MultiThreadedIoUringDemultiplexer.this, capacity);
        }

        private void sleep(long timeoutNanos) {
            long begin = System.nanoTime();
            long left = timeoutNanos;
            boolean interrupted = false;
            while (!signalled && left != 0) {
                if (timeoutNanos < 0) {
                    LockSupport.park(MultiThreadedIoUringDemultiplexer.this);
                } else {
                    LockSupport.parkNanos(MultiThreadedIoUringDemultiplexer.this, left);
                    left = Math.max(0, timeoutNanos - (System.nanoTime() - begin));
                }
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

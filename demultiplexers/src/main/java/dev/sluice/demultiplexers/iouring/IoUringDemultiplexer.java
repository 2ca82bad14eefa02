package dev.sluice.demultiplexers.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_BUFFER_SHIFT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_BUFFER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_MORE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_NOTIF;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_COOP_TASKRUN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_DEFER_TASKRUN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_R_DISABLED;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SINGLE_ISSUER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SUBMIT_ALL;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexers.handleset.PollEvents;
import dev.sluice.demultiplexers.handleset.WakeUp;
import dev.sluice.demultiplexers.operation.HandleAssociation;
import dev.sluice.demultiplexers.operation.LoopProcessor;
import dev.sluice.demultiplexers.operation.NativeOperation;
import dev.sluice.demultiplexers.operation.PooledBuffer;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.function.ObjIntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completion through io_uring: one call submits all operations that were begun since the last one and waits.
 *
 * <p>The ring belongs to the loop thread and does its work only when that thread enters it (DEFER_TASKRUN), where the
 * kernel has this; an operation that has to wait for a socket then costs no interruption. To end what such a thread has
 * left when it has ended, the end has to be seen, so this needs {@code /proc}; without it the kernel interrupts.
 *
 * <p>The kernel cancels the requests of a thread that ends. A virtual thread's are those of the carriers that it
 * happens to run on, which end when they please, so no virtual thread can be the loop thread.
 */
public final class IoUringDemultiplexer extends LoopProcessor {

    /** The name by which it is chosen. */
    public static final String NAME = "io_uring";

    private static final Logger LOG = LoggerFactory.getLogger(IoUringDemultiplexer.class);
    private static final int BEST = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_R_DISABLED
            | IORING_SETUP_SUBMIT_ALL;
    private static final int COOPERATIVE = IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SUBMIT_ALL;
    private static final int PLAIN = 0;

    /** User data that is no operation's key. */
    private static final long WAKE_UP = -1;

    /**
     * The kernel's ERESTARTSYS, which no user should ever see. A splice runs in a thread of the kernel's; when that is
     * interrupted, as when somebody begins to trace the process, this comes through (seen on Linux 6.18).
     */
    private static final int RESTART = -512;

    private final WakeUp wakeUp;
    private final Path procfs;
    private final Ring ring;
    private final Refusals refusals = new Refusals();
    private final Features features;
    private final BufferRing bufferRing;
    private final ArrayDeque<PooledBuffer> freeBuffers = new ArrayDeque<>();
    private final PipePool pipes;
    private final Submissions submissions;
    private final ObjIntConsumer<IoUringOperation> finishing = this::finish;
    private Thread issuer;
    private KernelTask issuerTask;
    private boolean wakeUpRequested;
    private boolean strayTold;

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
     * @param plain whether to do without what a kernel need not have
     * @throws IOException if the kernel or a policy refuses io_uring
     */
    public IoUringDemultiplexer(IoUringSize size, boolean plain) throws IOException {
        this(size, plain, KernelTask.PROCFS);
    }

    /** Opens it where the kernel shows its tasks in a certain place, or not at all. */
    IoUringDemultiplexer(IoUringSize size, boolean plain, Path procfs) throws IOException {
        super(NAME, size.providedBuffers());
        this.procfs = procfs;
        WakeUp openedWakeUp = null;
        PipePool openedPipes = null;
        Ring opened = null;
        try {
            openedWakeUp = WakeUp.readByKernel(NAME);
            wakeUp = openedWakeUp;
            openedPipes = new PipePool();
            pipes = openedPipes;
            int[] flags = plain ? new int[] {PLAIN}
                    : KernelTask.isShown(procfs) ? new int[] {BEST, COOPERATIVE, PLAIN}
                    : new int[] {COOPERATIVE, PLAIN};
            opened = Ring.open(Bindings.current(), size.submissions(), size.completions(), flags);
            ring = opened;
            Features probed = Features.probe(ring);
            features = plain ? Features.PLAIN : probed;
            submissions = new Submissions(ring,
                    new RequestEncoder(features, size.zeroCopyFrom(), ring.submissions()), this);
            bufferRing = features.multishotReceive() ? BufferRing.register(ring, size.providedBuffers().most()) : null;
        } catch (Throwable e) {
            closeOpened(opened, openedWakeUp, openedPipes);
            throw e;
        }
    }

    /** Closes what a constructor has come to open: the others are null. */
    private static void closeOpened(Ring ring, WakeUp wakeUp, PipePool pipes) {
        if (ring != null) {
            ring.close();
        }
        if (wakeUp != null) {
            wakeUp.close();
        }
        if (pipes != null) {
            pipes.close();
        }
    }

    @Override
    protected NativeOperation newNativeOperation(Object attachment) {
        return new IoUringOperation(this, attachment);
    }

    @Override
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new IoUringAssociation(this, handle);
    }

    // Requests

    @Override
    protected void begin(NativeOperation operation) {
        IoUringOperation begun = (IoUringOperation) operation;
        prepare(begun);
        if (begun.isBegun()) {
            submissions.add(begun);
        }
    }

    private void prepare(IoUringOperation operation) {
        switch (operation.type()) {
            case TRANSMIT_FILE -> {
                if (operation.transmission == null) {
                    operation.transmission = new Transmission(pipes);
                }
                if (operation.done() == 0) {
                    operation.transmission.begin(operation);
                }
            }
            case RECEIVE_CONTINUOUSLY -> {
                if (operation.receiving == null && pause(operation)) {
                    return;
                }
                if (bufferRing == null && operation.receiving == null) {
                    operation.receiving = freeBuffer();
                    if (operation.receiving == null) {
                        starve(operation);
                    }
                }
            }
            default -> { }
        }
    }

    private PooledBuffer freeBuffer() {
        if (freeBuffers.isEmpty()) {
            providedBuffers().grow();
        }
        return freeBuffers.poll();
    }

    @Override
    protected void cancelBegun(NativeOperation operation) {
        IoUringOperation begun = (IoUringOperation) operation;
        if (begun.pinned) {
            unpin(begun);
        } else {
            submissions.cancel(begun);
        }
    }

    /** {@return whether all that was to be submitted is in the submission queue} */
    private boolean fillSubmissionQueue() {
        if (!wakeUpRequested && ring.hasRoom()) {
            IoUringSqe.set(ring.submissions(), ring.nextSubmission(), IORING_OP_READ, (int) wakeUp.descriptor(), 0,
                    wakeUp.drainAddress(), WakeUp.DRAINED_BYTES, 0, WAKE_UP);
            wakeUpRequested = true;
        }
        return submissions.addRest(finishing) && wakeUpRequested;
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
            // It closes what nobody has waited on: the kernel knows of no request yet.
            forEachBegun(this::abandon);
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
            forEachBegun(this::abandon);
            return;
        }
        boolean all = fillSubmissionQueue();
        if (bufferRing != null) {
            bufferRing.publish();
        }
        boolean look = timeoutNanos == 0 || !all || hasCompleted();
        int entered = ring.enter(look ? 0 : 1, look ? FOREVER : timeoutNanos);
        int result = refusals.after(entered, take());
        if (result < 0 && !Errno.ETIME.is(result) && !Errno.EINTR.is(result)) {
            throw new SystemCallException("io_uring_enter", toString(), result);
        }
    }

    /** {@return whether there was something} */
    private boolean take() {
        int count = ring.completions();
        for (int left = count; left > 0; left--) {
            int at = ring.nextCompletion();
            long key = IoUringCqe.userData(ring.completionQueue(), at);
            int result = IoUringCqe.result(ring.completionQueue(), at);
            int flags = IoUringCqe.flags(ring.completionQueue(), at);
            ring.completionSeen();
            if (key == WAKE_UP) {
                wakeUp.drained();
                wakeUpRequested = false;
            } else if (key != Submissions.NOBODY) {
                IoUringOperation operation = (IoUringOperation) operation(key);
                if (operation == null) {
                    stray(key, result, flags);
                } else {
                    tookOrFailed(operation, result, flags);
                }
            }
        }
        return count > 0;
    }

    /** The operations in flight must not suffer from what no kernel should send. */
    private void stray(long key, int result, int flags) {
        if (!strayTold) {
            strayTold = true;
            LOG.warn("{}: a completion of no operation in flight is ignored, as will be any more: user data {},"
                    + " result {}, flags {}", this, Long.toHexString(key), result, Integer.toHexString(flags));
        }
    }

    private void tookOrFailed(IoUringOperation operation, int result, int flags) {
        try {
            took(operation, result, flags);
        } catch (RuntimeException | Error e) {
            if ((flags & IORING_CQE_F_MORE) == 0) {
                failed(operation, e);
            } else {
                // The kernel goes on with it, and says when it has ended.
                failed(e);
                operation.cancel();
            }
        }
    }

    /**
     * Nobody can enter a ring whose only issuer has ended. Its requests make no progress any more, and are dropped when
     * the ring is closed.
     */
    private void abandon(NativeOperation operation) {
        // One that the kernel has got, it has executed: the number may be somebody else's by now.
        if (operation.type() == OperationType.CLOSE && !submissions.hasReachedKernel((IoUringOperation) operation)) {
            Bindings.current().posix().close((int) operation.descriptor());
        }
        finish((IoUringOperation) operation, -Errno.ECANCELED.number());
    }

    // Completions

    private void took(IoUringOperation operation, int result, int flags) {
        if (operation.polling) {
            polled(operation, result);
            return;
        }
        // A request that is not over yet must not be made again.
        if (Errno.EAGAIN.is(result) && pollsFor(operation) && (flags & IORING_CQE_F_MORE) == 0) {
            operation.pausing = false;
            pollAndResume(operation);
            return;
        }
        switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> accepted(operation, result, flags);
            case RECEIVE_CONTINUOUSLY -> received(operation, result, flags);
            case SEND -> sent(operation, result, flags);
            case TRANSMIT_FILE -> transmitted(operation, result);
            case OPEN -> opened(operation, result);
            case POLL -> {
                if (result > 0 && (result & RequestEncoder.GUESSED) != 0) {
                    // Made again, the request looks for itself.
                    resume(operation);
                } else {
                    complete(operation, result < 0 ? result
                            : PollEvents.fromPoll(result) & (int) operation.amount());
                }
            }
            case TIMEOUT -> complete(operation, Errno.ETIME.is(result) ? 0 : result);
            // The descriptor is gone all the same (close(2)).
            case CLOSE -> complete(operation, Errno.EINTR.is(result) ? 0 : result);
            default -> {
                if (Errno.EINTR.is(result)) {
                    resume(operation);
                } else {
                    attempted(operation, result);
                }
            }
        }
    }

    /** The kernel waits for readiness by itself, except on what is non-blocking, where some versions do not. */
    private void pollAndResume(IoUringOperation operation) {
        operation.polling = true;
        resume(operation);
    }

    private static boolean pollsFor(IoUringOperation operation) {
        return switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY, RECEIVE, RECEIVE_CONTINUOUSLY, SEND, RECEIVE_FROM, SEND_TO,
                    TRANSMIT_FILE -> true;
            // To a Unix domain socket EAGAIN means that the peer's backlog is full (connect(2)).
            default -> false;
        };
    }

    private void polled(IoUringOperation operation, int result) {
        operation.polling = false;
        if (result < 0) {
            finish(operation, result);
        } else {
            resume(operation);
        }
    }

    /** Goes on with an operation that has no request in the kernel. */
    private void resume(IoUringOperation operation) {
        if (operation.isCancelRequested()) {
            finish(operation, -Errno.ECANCELED.number());
        } else {
            submissions.add(operation);
        }
    }

    @Override
    protected boolean giveUp(NativeOperation operation) {
        letGo((IoUringOperation) operation);
        return true;
    }

    private void finish(IoUringOperation operation, int result) {
        letGo(operation);
        complete(operation, result);
    }

    private void letGo(IoUringOperation operation) {
        operation.polling = false;
        operation.pausing = false;
        if (operation.receiving != null) {
            PooledBuffer unused = operation.receiving;
            operation.receiving = null;
            providedBuffers().giveBack(unused);
        }
        if (operation.type() == OperationType.TRANSMIT_FILE && operation.transmission != null) {
            operation.transmission.end();
        }
    }

    private void accepted(IoUringOperation operation, int result, int flags) {
        boolean over = (flags & IORING_CQE_F_MORE) == 0;
        if (result < 0) {
            if (SocketAcceptor.passedOver(Errno.of(result))) {
                if (over) {
                    resume(operation);
                }
            } else {
                complete(operation, result);
            }
        } else if (operation.type() == OperationType.ACCEPT) {
            complete(operation, 0, operation.acceptor().adopt(result));
        } else {
            report(operation, 0, operation.acceptor().adopt(result));
            if (over) {
                resume(operation);
            }
        }
    }

    private void received(IoUringOperation operation, int result, int flags) {
        PooledBuffer buffer = operation.receiving;
        if ((flags & IORING_CQE_F_BUFFER) != 0) {
            bufferRing.taken();
            buffer = providedBuffers().get(flags >>> IORING_CQE_BUFFER_SHIFT);
        }
        if (result > 0) {
            operation.receiving = null;
            report(operation, result, buffer.filled(result));
            if ((flags & IORING_CQE_F_MORE) == 0) {
                operation.pausing = false;
                goOnReceiving(operation);
            } else if (!operation.pausing && keepsTooMuch(operation)) {
                // What it receives until it knows comes beyond the bound.
                operation.pausing = true;
                submissions.cancel(operation);
            }
        } else if (operation.pausing && Errno.ECANCELED.is(result)) {
            operation.pausing = false;
            goOnReceiving(operation);
        } else if (bufferRing != null && Errno.ENOBUFS.is(result)) {
            operation.pausing = false;
            if (pause(operation)) {
                return;
            }
            if (bufferRing.hasBuffers() || providedBuffers().grow()) {
                resume(operation);
            } else {
                starve(operation);
            }
        } else {
            if (bufferRing != null && buffer != null) {
                providedBuffers().giveBack(buffer);
            }
            if (Errno.EINTR.is(result)) {
                resume(operation);
            } else {
                finish(operation, result);
            }
        }
    }

    private void goOnReceiving(IoUringOperation operation) {
        if (operation.isCancelRequested()) {
            finish(operation, -Errno.ECANCELED.number());
        } else {
            begin(operation);
        }
    }

    @Override
    protected void provide(PooledBuffer buffer) {
        if (bufferRing != null) {
            bufferRing.add(buffer);
        } else {
            freeBuffers.add(buffer);
        }
    }

    private void sent(IoUringOperation operation, int result, int flags) {
        if (!operation.zeroCopy) {
            sentSome(operation, result);
        } else if ((flags & IORING_CQE_F_NOTIF) != 0) {
            operation.pinned = false;
            sentWithoutCopy(operation, operation.sent);
        } else if ((flags & IORING_CQE_F_MORE) != 0) {
            // The notification follows a failure, too, and then at once.
            operation.pinned = result > 0;
            operation.sent = result;
            if (operation.pinned && operation.isCancelRequested()) {
                unpin(operation);
            }
        } else {
            sentWithoutCopy(operation, result);
        }
    }

    /**
     * Has the kernel let go of a buffer that a peer may never take: connecting to no family dissolves the connection
     * at once, with all that it was going to send (connect(2)).
     */
    private static void unpin(IoUringOperation operation) {
        try (MemoryBlock nobody = Bindings.current().memory().allocate(SockaddrStorage.SIZE)) {
            // AF_UNSPEC is 0, as is fresh memory. A failure means that there is no connection any more.
            Bindings.current().posix().connect((int) operation.descriptor(), nobody.address(), SockaddrStorage.SIZE);
        }
    }

    private void sentWithoutCopy(IoUringOperation operation, int result) {
        if (Errno.ENOMEM.is(result) || Errno.EINVAL.is(result) || Errno.EOPNOTSUPP.is(result)) {
            ((IoUringAssociation) operation.handle()).zeroCopyWorks = false;
            resume(operation);
        } else if (Errno.EAGAIN.is(result)) {
            pollAndResume(operation);
        } else {
            sentSome(operation, result);
        }
    }

    private void sentSome(IoUringOperation operation, int result) {
        if (Errno.EINTR.is(result)) {
            resume(operation);
        } else {
            attempted(operation, result);
        }
    }

    private void transmitted(IoUringOperation operation, int result) {
        if (Errno.EINTR.is(result) || result == RESTART) {
            resume(operation);
        } else if (result < 0) {
            finish(operation, result);
        } else if (operation.transmission.advance(operation, result)) {
            resume(operation);
        } else {
            operation.transmission.end();
            complete(operation, operation.done());
        }
    }

    private void opened(IoUringOperation operation, int result) {
        if (Errno.EINTR.is(result)) {
            resume(operation);
        } else if (result < 0) {
            complete(operation, result);
        } else {
            complete(operation, 0, FileHandle.adopt(result, operation.path(), operation.openOptions()));
        }
    }

    // The end

    @Override
    protected void signal() {
        wakeUp.signal();
    }

    @Override
    protected void dispose() {
        // First the wake-up, so that nothing can make the kernel read it any more.
        wakeUp.close();
        ring.close();
        if (bufferRing != null) {
            bufferRing.close();
        }
        pipes.close();
    }
}

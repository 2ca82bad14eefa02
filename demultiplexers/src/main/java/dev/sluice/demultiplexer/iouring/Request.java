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
 * What an operation of one kind asks of the kernel, and what the answers mean. Used inside.
 *
 * <p>Unless a subclass says otherwise, an operation is over when its bytes have been moved, or when a call has failed.
 */
abstract class Request<A extends Arguments> extends Execution<A> {

    /**
     * Reported by a poll together with the events that a socket's wake-up announces, which always include urgent data,
     * but never with what the poll has found by itself. A poll for POLLPRI alone is not woken by urgent data that
     * arrive after the request (seen on Linux 6.18).
     */
    static final int GUESSED = PollConstants.POLLRDBAND;

    /** The largest result of requests whose result is not a number of requested bytes. */
    static final long ANY = Integer.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(Request.class);

    final Requests requests;
    /** Whether the request waits for readiness before the operation is tried again. */
    private boolean polling;
    /** Whether it has been requested again after an EFAULT, which may also be about the memory. */
    private boolean repeated;

    Request(Requests requests, A asked) {
        super(asked, requests.outcomes);
        this.requests = requests;
    }

    @Override
    protected final void begin() {
        if (prepare()) {
            submit();
        }
    }

    /** {@return whether it can be requested now; if not, it waits for something else, or has completed} */
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
     * {@return the event to wait for before an operation that was answered with EAGAIN is requested again; 0 if that is
     * an error like any other} The kernel waits by itself, except that some versions do not on non-blocking
     * descriptors.
     */
    int awaitedEvent() {
        return 0;
    }

    /** {@return the descriptor on which to wait for {@link #awaitedEvent}} */
    int awaitedDescriptor() {
        return descriptor();
    }

    /**
     * Takes all completions that the kernel reports, each with the request that it is of.
     *
     * @param requests of one ring
     * @return whether there were any
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
        return count > 0;
    }

    private static void takeChecked(OperationSlot operation, int result, int flags) {
        Request<?> request = (Request<?>) operation.execution();
        try {
            request.take(result, flags);
        } catch (RuntimeException | Error e) {
            if ((flags & IoUringConstants.IORING_CQE_F_MORE) == 0) {
                request.outcomes.failed(operation, e);
            } else {
                // The kernel continues it, and reports when it has ended.
                request.outcomes.failed(e);
                operation.cancel();
            }
        }
    }

    private void take(int result, int flags) {
        boolean over = (flags & IoUringConstants.IORING_CQE_F_MORE) == 0;
        if (over && result < 0 && isDropped(result)) {
            dropped();
        } else if (polling) {
            polling = false;
            if (result < 0) {
                finish(result);
            } else {
                resume();
            }
        } else if (result < 0 && Errno.EAGAIN.is(result) && over && awaitedEvent() != 0) {
            refused();
            pollAndResume();
        } else if (result > most(flags)) {
            LOG.error("io_uring: {} fails, as the kernel reports the impossible result {}", operation, result);
            impossible(flags);
        } else {
            complete(result, flags);
        }
    }

    /**
     * {@return whether the kernel has dropped the request because the thread that submitted it has ended} It then says
     * ECANCELED, and EFAULT for what it was about to go on with.
     */
    final boolean isDropped(int result) {
        boolean dropped = requests.outlivesThreads && !isToEnd()
                && (Errno.ECANCELED.is(result) || Errno.EFAULT.is(result) && !repeated);
        repeated = dropped && Errno.EFAULT.is(result);
        return dropped;
    }

    /** The thread that submitted the request has ended: another one does so again. */
    void dropped() {
        resume();
    }

    /** The kernel has answered with EAGAIN, and is asked again once the descriptor is ready. */
    void refused() {
    }

    /**
     * {@return the largest result that a completion can have} The kernel cannot have moved more bytes than were asked
     * for; believing such a result would mean taking other memory for received data. Other requests move no bytes.
     */
    long most(int flags) {
        return asked.most();
    }

    /** Ends an operation whose completion has a larger result than {@link #most}. */
    void impossible(int flags) {
        if ((flags & IoUringConstants.IORING_CQE_F_MORE) == 0) {
            finish(-Errno.EIO.number());
        } else {
            // The operation is over when the kernel says so.
            operation.cancel();
        }
    }

    /** Takes a completion other than that of a wait for readiness. */
    void complete(int result, int flags) {
        if (result < 0 && (Errno.EINTR.is(result) || isDropped(result))) {
            resume();
        } else {
            outcomes.attempted(operation, result);
        }
    }

    /** Makes the kernel end what it is doing. */
    @Override
    protected void cancel() {
        requests.cancelRequest(operation);
    }

    /** {@return whether a request that is still in the kernel is to be cancelled} */
    boolean isToEnd() {
        return operation.isCancelRequested();
    }

    @Override
    protected boolean giveUp() {
        polling = false;
        return true;
    }

    /** No request will complete any more: the loop thread has ended, and the kernel has dropped them. */
    final void abandon() {
        abandoned();
        finish(-Errno.ECANCELED.number());
    }

    /** The operation's thread has ended, and the kernel has dropped the request, or never seen it. */
    void abandoned() {
    }

    // For subclasses

    /** Goes on with the operation, which has no request in the kernel. */
    final void resume() {
        if (operation.isCancelRequested()) {
            finish(-Errno.ECANCELED.number());
        } else {
            submit();
        }
    }

    /** Puts the request into the submission queue, or leaves it until the queue has space. */
    private void submit() {
        assert outcomes.isInside();
        if (!requests.hasRest && requests.ring.hasSpace()) {
            encode();
            requests.ring.add();
        } else {
            requests.keep(operation);
        }
    }

    /** For a continuous operation: asks for more, after checking whether it may have more. */
    final void goOn() {
        if (operation.isCancelRequested()) {
            finish(-Errno.ECANCELED.number());
        } else {
            begin();
        }
    }

    /** For a continuous operation, when nothing has come. */
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

    /** Completes an operation without a resource, and releases what it has borrowed. */
    final void finish(long result) {
        giveUp();
        outcomes.complete(operation, result);
    }

    final int descriptor() {
        return (int) operation.association().descriptor();
    }

    final void set(int opcode, long offset, long address, int length, int flags) {
        set(opcode, descriptor(), offset, address, length, flags);
    }

    final void set(int opcode, int descriptor, long offset, long address, int length, int flags) {
        requests.ring.set(opcode, descriptor, offset, address, length, flags, operation.key());
    }

    /** For several buffers, or for an address besides the bytes. */
    final void setMessage(int opcode, int flags) {
        set(opcode, 0, memory().message(), 1, flags);
    }

    final void setPoll(int descriptor, int events) {
        int wanted = PollBits.UNIX.of(events) | ((events & EventType.EXCEPTION) != 0 ? GUESSED : 0);
        requests.ring.setPoll(descriptor, wanted, operation.key());
    }
}

package dev.sluice.mechanism.iouring;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.IoUringConstants;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.handleset.PollEvents;
import dev.sluice.mechanism.operation.Outcomes;
import java.nio.ByteBuffer;

/**
 * What operations of one kind ask of the kernel, and what its answers mean. One object serves all of them; the state of
 * each is kept in the operation itself. Used by the loop thread.
 *
 * <p>Unless a subclass says otherwise, an operation is over when its bytes have been moved, or when a call has failed.
 */
abstract class Request {

    /**
     * Reported by a poll together with the events that a socket's wake-up announces, which always include urgent data,
     * but never with what the poll has found by itself. A poll for POLLPRI alone is not woken by urgent data that
     * arrive after the request (seen on Linux 6.18).
     */
    static final int GUESSED = PollConstants.POLLRDBAND;

    /** The largest result of requests whose result is not a number of requested bytes. */
    static final long ANY = Integer.MAX_VALUE;

    private final IoUringDemultiplexer demultiplexer;
    private final Outcomes outcomes;

    Request(IoUringDemultiplexer demultiplexer) {
        this.demultiplexer = demultiplexer;
        this.outcomes = demultiplexer.outcomes();
    }

    final Outcomes outcomes() {
        return outcomes;
    }

    final IoUringDemultiplexer demultiplexer() {
        return demultiplexer;
    }

    /** {@return whether it can be requested now; if not, it waits for something else, or has completed} */
    boolean prepare(IoUringOperation operation) {
        return true;
    }

    /** Writes the next request of an operation into the submission queue. */
    abstract void encode(IoUringOperation operation, ByteBuffer entries, int at);

    /**
     * {@return the event to wait for before an operation that was answered with EAGAIN is requested again; 0 if that is
     * an error like any other} The kernel waits by itself, except that some versions do not on non-blocking
     * descriptors.
     */
    int awaitedEvent(IoUringOperation operation) {
        return 0;
    }

    /** {@return the descriptor on which to wait for {@link #awaitedEvent}} */
    int awaitedDescriptor(IoUringOperation operation) {
        return (int) operation.descriptor();
    }

    /**
     * {@return the largest result that a completion can have} The kernel cannot have moved more bytes than were asked
     * for; believing such a result would mean taking other memory for received data. Other requests move no bytes.
     */
    long most(IoUringOperation operation, int flags) {
        return operation.most();
    }

    /** Ends an operation whose completion has a larger result than {@link #most}. */
    void impossible(IoUringOperation operation, int flags) {
        if ((flags & IoUringConstants.IORING_CQE_F_MORE) == 0) {
            demultiplexer.finish(operation, -Errno.EIO.number());
        } else {
            // The operation is over when the kernel says so.
            operation.cancel();
        }
    }

    /** Takes a completion other than that of a wait for readiness. */
    void completed(IoUringOperation operation, int result, int flags) {
        if (Errno.EINTR.is(result)) {
            demultiplexer.resume(operation);
        } else {
            outcomes.attempted(operation, result);
        }
    }

    /** Makes the kernel end what it is doing for an operation. */
    void cancel(IoUringOperation operation) {
        demultiplexer.cancelRequest(operation);
    }

    /** The operation is over, whatever its outcome: gives back what was borrowed. */
    void letGo(IoUringOperation operation) {
    }

    /** The operation's thread has ended, and the kernel has dropped the request, or never seen it. */
    void abandoned(IoUringOperation operation) {
    }

    // For subclasses

    static void set(IoUringOperation operation, ByteBuffer entries, int at, int opcode, long offset, long address,
            int length, int flags) {
        IoUringSqe.set(entries, at, opcode, (int) operation.descriptor(), offset, address, length, flags,
                operation.key());
    }

    /** For several buffers, or for an address besides the bytes. */
    static void setMessage(IoUringOperation operation, ByteBuffer entries, int at, int opcode, int flags) {
        set(operation, entries, at, opcode, 0, operation.message(), 1, flags);
    }

    static void setPoll(IoUringOperation operation, ByteBuffer entries, int at, int descriptor, int events) {
        int wanted = PollEvents.toPoll(events) | ((events & EventType.EXCEPTION) != 0 ? GUESSED : 0);
        IoUringSqe.set(entries, at, IoUringConstants.IORING_OP_POLL_ADD, descriptor, 0, 0, 0,
                IoUringSqe.pollFlags(wanted, entries.order()), operation.key());
    }
}

package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_ENTER_EXT_ARG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_ENTER_GETEVENTS;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_NOP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_ENABLE_RINGS;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_R_DISABLED;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SINGLE_ISSUER;
import static dev.sluice.calls.layout.IoUringConstants.IOSQE_BUFFER_SELECT;
import static dev.sluice.calls.layout.IoUringConstants.IOSQE_IO_LINK;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringGeteventsArg;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.KernelTimespec;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * An io_uring instance: its queues and its system calls. Used by one thread at a time.
 *
 * <p>The kernel advances the head of the submission queue and the tail of the completion queue, this class the other
 * two. Each side reads the indexes of the other with acquire and writes its own with release, so that an entry is
 * visible when the index is.
 */
final class Ring implements AutoCloseable {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** EBADFD: the call is allowed, but the ring has been set up disabled. */
    private static final int NOT_ENABLED = -77;

    private static final int MAX_REFUSALS = 1_000;
    private static final long REFUSAL_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    // Offsets in the argument of the calls
    private static final int TIMESPEC = IoUringGeteventsArg.SIZE;
    private static final int PAUSE = TIMESPEC + KernelTimespec.SIZE;

    private final BooleanSupplier confined;
    private final Linux linux;
    private final int descriptor;
    private final MemoryBlock argument;
    private final ByteBuffer ring;
    private final ByteBuffer entries;

    private final int setUpFlags;
    private final int submissionHeadAt;
    private final int submissionTailAt;
    private final int submissionCount;
    private final int completionHeadAt;
    private final int completionTailAt;
    private final int completionsAt;
    private final int completionMask;

    private final CloseSteps closing;

    private int submissionTail;
    private int completionHead;
    /** The number of consecutive refusals without progress. */
    private int refusals;

    Ring(Binding binding, BooleanSupplier confined, int descriptor, ByteBuffer parameters, MemoryBlock queues,
            MemoryBlock submissions) {
        this.confined = confined;
        this.linux = binding.linux();
        this.descriptor = descriptor;
        OperatingSystem system = OperatingSystem.of(binding);
        closing = new CloseSteps(this::freeArgument, submissions::close, queues::close,
                () -> system.close(descriptor, false));
        // Last, because nothing would free it if there were no memory for the others.
        argument = binding.memory().allocate(PAUSE + KernelTimespec.SIZE);
        IoUringGeteventsArg.timespec(argument.buffer(), 0, argument.address() + TIMESPEC);
        KernelTimespec.set(argument.buffer(), PAUSE, PAUSE_NANOS);
        ring = queues.buffer();
        entries = submissions.buffer();
        setUpFlags = parameters.getInt(IoUringParams.FLAGS);
        submissionCount = parameters.getInt(IoUringParams.SQ_ENTRIES);
        submissionHeadAt = parameters.getInt(IoUringParams.SQ_HEAD);
        submissionTailAt = parameters.getInt(IoUringParams.SQ_TAIL);
        completionHeadAt = parameters.getInt(IoUringParams.CQ_HEAD);
        completionTailAt = parameters.getInt(IoUringParams.CQ_TAIL);
        completionsAt = parameters.getInt(IoUringParams.CQ_CQES);
        completionMask = ring.getInt(parameters.getInt(IoUringParams.CQ_RING_MASK));
        // Entries are always submitted in order, so the array of their indexes never changes.
        int arrayAt = parameters.getInt(IoUringParams.SQ_ARRAY);
        for (int i = 0; i < submissionCount; i++) {
            ring.putInt(arrayAt + i * Integer.BYTES, i);
        }
    }

    private void freeArgument() {
        argument.close();
    }

    /** Checks that {@code io_uring_enter} is allowed: a policy may allow only the other two calls. */
    void requireEnter() throws SystemCallException {
        int result = linux.io_uring_enter(descriptor, 0, 0, 0, 0, 0);
        if (result < 0 && result != NOT_ENABLED && !Errno.EAGAIN.is(result) && !Errno.EBUSY.is(result)
                && !Errno.EINTR.is(result)) {
            throw new SystemCallException("io_uring_enter", "of nothing" + Features.advice(result), result);
        }
    }

    /** {@return whether the submission queue has space for another entry; {@link #enter} submits its entries} */
    boolean hasSpace() {
        return pendingSubmissions() < submissionCount;
    }

    /** {@return whether the submission queue has space for two entries} */
    boolean hasSpaceForTwo() {
        return pendingSubmissions() < submissionCount - 1;
    }

    /**
     * Sets the next entry, for which there must be space. Other fields of the entry are zero. The entry is submitted
     * only after an {@link #add()}.
     */
    void set(int opcode, int fd, long offset, long address, int length, int operationFlags, long userData) {
        assert confined.getAsBoolean() && hasSpace();
        int at = place(submissionTail);
        entries.putLong(at + IoUringSqe.OPCODE, 0);
        entries.put(at + IoUringSqe.OPCODE, (byte) opcode);
        entries.putInt(at + IoUringSqe.FD, fd);
        entries.putLong(at + IoUringSqe.OFF, offset);
        entries.putLong(at + IoUringSqe.ADDR, address);
        entries.putInt(at + IoUringSqe.LEN, length);
        entries.putInt(at + IoUringSqe.OP_FLAGS, operationFlags);
        entries.putLong(at + IoUringSqe.USER_DATA, userData);
        entries.putLong(at + IoUringSqe.BUF_GROUP, 0);
        entries.putLong(at + IoUringSqe.BUF_GROUP + Long.BYTES, 0);
        entries.putLong(at + IoUringSqe.BUF_GROUP + 2 * Long.BYTES, 0);
    }

    private int place(int index) {
        return (index & submissionCount - 1) * IoUringSqe.SIZE;
    }

    /** Sets the next entry to a poll request, given events of {@code poll}. */
    void setPoll(int fd, int events, long userData) {
        set(IORING_OP_POLL_ADD, fd, 0, 0, 0, IoUringSqe.pollFlags(events, entries.order()), userData);
    }

    /** Sets the next entry to a request that completes after a millisecond. */
    void setPause(long userData) {
        set(IORING_OP_TIMEOUT, -1, 0, argument.address() + PAUSE, 1, 0, userData);
    }

    /** Sets the I/O priority of the next entry, or the flags that accept and receive have in its place. */
    void setIoprio(int value) {
        entries.putShort(place(submissionTail) + IoUringSqe.IOPRIO, (short) value);
    }

    /** Makes the next entry use a buffer that the kernel takes from a group. */
    void selectBuffer(int group) {
        int at = place(submissionTail);
        entries.put(at + IoUringSqe.FLAGS, (byte) IOSQE_BUFFER_SELECT);
        entries.putShort(at + IoUringSqe.BUF_GROUP, (short) group);
    }

    /** Names the registered buffer that the next entry uses. */
    void setRegisteredBuffer(int entry) {
        entries.putShort(place(submissionTail) + IoUringSqe.BUF_GROUP, (short) entry);
    }

    /** Sets the descriptor that the next entry splices from. */
    void setSpliceSource(int fd) {
        entries.putInt(place(submissionTail) + IoUringSqe.SPLICE_FD_IN, fd);
    }

    /**
     * Adds the entry that has been set, and sets the next one, for which there must be space, and which is linked to
     * it: the kernel begins it when the first has succeeded as a whole, and cancels it otherwise. One call submits
     * both.
     */
    void link(int opcode, int fd, int operationFlags, long userData) {
        int first = place(submissionTail++);
        try {
            set(opcode, fd, 0, 0, 0, operationFlags, userData);
            entries.put(first + IoUringSqe.FLAGS, (byte) IOSQE_IO_LINK);
        } catch (RuntimeException | Error e) {
            submissionTail--;
            throw e;
        }
    }

    /**
     * Ends a chain of which the kernel has taken the first entry only, because it lacked memory for the second: taken
     * later, that would not wait for the first. It becomes an entry that does nothing, and its user data says so.
     */
    private void endSplitChain() {
        int head = (int) INT.getAcquire(ring, submissionHeadAt);
        if (head != submissionTail && (entries.get(place(head - 1) + IoUringSqe.FLAGS) & IOSQE_IO_LINK) != 0) {
            entries.put(place(head) + IoUringSqe.OPCODE, (byte) IORING_OP_NOP);
            entries.putInt(place(head) + IoUringSqe.OP_FLAGS, 0);
            int data = place(head) + IoUringSqe.USER_DATA;
            entries.putLong(data, WriteAndForce.separated(entries.getLong(data)));
        }
    }

    /** Adds the entry that has been set to those that {@link #enter} submits. */
    void add() {
        assert confined.getAsBoolean();
        submissionTail++;
    }

    /** {@return whether only the thread that has enabled the ring may enter it} */
    boolean isSingleIssuer() {
        return (setUpFlags & IORING_SETUP_SINGLE_ISSUER) != 0;
    }

    /**
     * Enables the ring if it has been set up disabled. If it has a single issuer, only the calling thread may use it
     * afterwards.
     *
     * @throws SystemCallException if the kernel refuses
     */
    void enable() throws SystemCallException {
        if ((setUpFlags & IORING_SETUP_R_DISABLED) != 0) {
            register("enable", IORING_REGISTER_ENABLE_RINGS, 0, 0);
        }
    }

    /**
     * Calls {@code io_uring_register}.
     *
     * @param purpose  the purpose, for messages
     * @param opcode   the command
     * @param argument the argument
     * @param count    the count
     * @throws SystemCallException if the kernel refuses
     */
    void register(String purpose, int opcode, long argument, int count) throws SystemCallException {
        int result = linux.io_uring_register(descriptor, opcode, argument, count);
        if (result < 0) {
            throw new SystemCallException("io_uring_register", purpose, result);
        }
    }

    /** {@return the number of added entries that the kernel has not taken} */
    int pendingSubmissions() {
        return submissionTail - (int) INT.getAcquire(ring, submissionHeadAt);
    }

    /** {@return whether an added entry with the given user data has not been taken by the kernel} */
    boolean isPending(long userData) {
        assert confined.getAsBoolean();
        for (int i = pendingSubmissions(); i > 0; i--) {
            if (entries.getLong(place(submissionTail - i) + IoUringSqe.USER_DATA) == userData) {
                return true;
            }
        }
        return false;
    }

    /**
     * Submits pending entries and waits.
     *
     * @param minimum      the number of completions to wait for; 0 for no wait
     * @param timeoutNanos the maximum time to wait; negative means no limit
     * @return the result of the call; {@code -ETIME} after the timeout if nothing was submitted
     */
    int enter(int minimum, long timeoutNanos) {
        publish();
        int result = enterPublished(minimum, timeoutNanos);
        endSplitChain();
        return result;
    }

    /** Publishes added entries for {@link #enterPublished}. */
    void publish() {
        assert confined.getAsBoolean();
        INT.setRelease(ring, submissionTailAt, submissionTail);
    }

    /**
     * As {@link #enter}, for entries that have been published. May be called by any thread that keeps the ring open,
     * but by only one at a time with a timeout.
     */
    int enterPublished(int minimum, long timeoutNanos) {
        int tail = (int) INT.getAcquire(ring, submissionTailAt);
        // Another thread may have submitted these entries in the meantime.
        int pending = Math.max(0, tail - (int) INT.getAcquire(ring, submissionHeadAt));
        int flags = IORING_ENTER_GETEVENTS;
        if (timeoutNanos < 0) {
            return linux.io_uring_enter(descriptor, pending, minimum, flags, 0, 0);
        }
        KernelTimespec.set(argument.buffer(), TIMESPEC, timeoutNanos);
        return linux.io_uring_enter(descriptor, pending, minimum, flags | IORING_ENTER_EXT_ARG, argument.address(),
                IoUringGeteventsArg.SIZE);
    }

    /**
     * Handles a refusal of the kernel, which lacks memory or requires completions to be taken first (EAGAIN and EBUSY,
     * io_uring_enter(2)). Pauses, so that a loop does not spin, and after a number of refusals returns the error, so
     * that it ends.
     *
     * @param result   the result of {@link #enter}
     * @param progress whether completions have been taken since the call
     * @return the result, or 0 after a refusal, if the call should be repeated
     */
    int afterRefusal(int result, boolean progress) {
        boolean refused = result < 0 && (Errno.EBUSY.is(result) || Errno.EAGAIN.is(result));
        if (!refused || progress) {
            refusals = 0;
            return refused ? 0 : result;
        }
        if (refusals == MAX_REFUSALS) {
            return result;
        }
        refusals++;
        LockSupport.parkNanos(this, REFUSAL_PAUSE_NANOS);
        return 0;
    }

    /** {@return the number of completions available} */
    int completions() {
        return (int) INT.getAcquire(ring, completionTailAt) - completionHead;
    }

    private int oldestCompletion() {
        return completionsAt + (completionHead & completionMask) * IoUringCqe.SIZE;
    }

    /** {@return the user data of the oldest completion, of which there must be one} */
    long userData() {
        return ring.getLong(oldestCompletion() + IoUringCqe.USER_DATA);
    }

    /** {@return the result of the oldest completion, or a negated error number} */
    int result() {
        return ring.getInt(oldestCompletion() + IoUringCqe.RES);
    }

    /** {@return the {@code IORING_CQE_F_} flags of the oldest completion} */
    int flags() {
        return ring.getInt(oldestCompletion() + IoUringCqe.FLAGS);
    }

    /** Releases the entry of the oldest completion to the kernel. */
    void completionSeen() {
        assert confined.getAsBoolean();
        completionHead++;
        INT.setRelease(ring, completionHeadAt, completionHead);
    }

    @Override
    public void close() {
        closing.run();
    }
}

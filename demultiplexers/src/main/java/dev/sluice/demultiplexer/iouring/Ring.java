package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_ENTER_EXT_ARG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_ENTER_GETEVENTS;
import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_EXT_ARG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_NODROP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_SINGLE_MMAP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQES;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQ_RING;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_ENABLE_RINGS;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_CLAMP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_CQSIZE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_R_DISABLED;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SINGLE_ISSUER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SQ_CQ_OVERFLOW;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringGeteventsArg;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.KernelTimespec;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;

/**
 * An io_uring instance: its queues and the one call. Only one thread at a time uses it.
 *
 * <p>The kernel moves the submission queue's head and the completion queue's tail; we move the other two. Each side
 * reads the other's indexes with acquire and writes its own with release, so that an entry is seen no later than the
 * index that announces it.
 */
final class Ring implements AutoCloseable {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    // Without the first, a full completion queue would lose completions; without the second, a wait could not have a
    // timeout.
    private static final int NEEDED = IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG | IORING_FEAT_SINGLE_MMAP;

    /** For messages about what the kernel lacks. */
    static final String ALL_THAT_IS_NEEDED = " (Linux 5.11 has all that is needed)";

    /** Linux's EBADFD: the call is allowed, and the ring was set up disabled. */
    private static final int NOT_ENABLED = -77;

    private static final int TIMESPEC = IoUringGeteventsArg.SIZE;

    private final BooleanSupplier confined;
    private final Linux linux;
    private final int descriptor;
    private final MemoryBlock queues;
    private final MemoryBlock submissions;
    private final MemoryBlock argument;
    private final ByteBuffer ring;
    private final ByteBuffer entries;

    private final int setUpFlags;
    private final int submissionHeadAt;
    private final int submissionTailAt;
    private final int submissionFlagsAt;
    private final int submissionCount;
    private final int completionHeadAt;
    private final int completionTailAt;
    private final int completionsAt;
    private final int completionMask;

    private final CloseSteps closing;

    private int submissionTail;
    private int completionHead;

    private Ring(Binding binding, BooleanSupplier confined, int descriptor, ByteBuffer parameters, MemoryBlock queues,
            MemoryBlock submissions) {
        this.confined = confined;
        this.linux = binding.linux();
        this.descriptor = descriptor;
        this.queues = queues;
        this.submissions = submissions;
        argument = binding.memory().allocate(IoUringGeteventsArg.SIZE + KernelTimespec.SIZE);
        IoUringGeteventsArg.timespec(argument.buffer(), 0, argument.address() + TIMESPEC);
        OperatingSystem system = OperatingSystem.of(binding);
        closing = new CloseSteps(argument::close, submissions::close, queues::close,
                () -> system.close(descriptor, false));
        ring = queues.buffer();
        entries = submissions.buffer();
        setUpFlags = parameters.getInt(IoUringParams.FLAGS);
        submissionCount = parameters.getInt(IoUringParams.SQ_ENTRIES);
        submissionHeadAt = parameters.getInt(IoUringParams.SQ_HEAD);
        submissionTailAt = parameters.getInt(IoUringParams.SQ_TAIL);
        submissionFlagsAt = parameters.getInt(IoUringParams.SQ_FLAGS);
        completionHeadAt = parameters.getInt(IoUringParams.CQ_HEAD);
        completionTailAt = parameters.getInt(IoUringParams.CQ_TAIL);
        completionsAt = parameters.getInt(IoUringParams.CQ_CQES);
        completionMask = ring.getInt(parameters.getInt(IoUringParams.CQ_RING_MASK));
        // The queue of indices exists so that entries can be submitted out of order. Ours never are.
        int arrayAt = parameters.getInt(IoUringParams.SQ_ARRAY);
        for (int i = 0; i < submissionCount; i++) {
            ring.putInt(arrayAt + i * Integer.BYTES, i);
        }
    }

    private static MemoryBlock map(Binding binding, int descriptor, int size, long offset) throws SystemCallException {
        Posix posix = binding.posix();
        long address = posix.mmap(0, size, FileConstants.PROT_READ | FileConstants.PROT_WRITE,
                FileConstants.MAP_SHARED | FileConstants.MAP_POPULATE, descriptor, offset);
        if (address < 0) {
            throw new SystemCallException("mmap", "io_uring queues", address);
        }
        return binding.memory().wrap(address, size, () -> posix.munmap(address, size));
    }

    /**
     * Sets up an instance.
     *
     * @param binding      to make the calls with
     * @param confined     tells whether the calling thread is the one that may use it; for assertions
     * @param entries      entries of the submission queue
     * @param completions  entries of the completion queue, not fewer
     * @param bestToPlain  set-up flags to try one after the other, since an older kernel refuses those that it does not
     *                     know
     * @return the instance
     * @throws IOException if the kernel or a policy refuses io_uring, or it lacks something indispensable
     */
    static Ring open(Binding binding, BooleanSupplier confined, int entries, int completions, int... bestToPlain)
            throws IOException {
        try (MemoryBlock parameters = binding.memory().allocate(IoUringParams.SIZE)) {
            int fd = -Errno.EINVAL.number();
            for (int i = 0; i < bestToPlain.length && Errno.EINVAL.is(fd); i++) {
                clear(parameters.buffer());
                parameters.buffer().putInt(IoUringParams.FLAGS,
                        bestToPlain[i] | IORING_SETUP_CLAMP | IORING_SETUP_CQSIZE);
                parameters.buffer().putInt(IoUringParams.CQ_ENTRIES, completions);
                fd = binding.linux().io_uring_setup(entries, parameters.address());
            }
            if (fd < 0) {
                throw new SystemCallException("io_uring_setup", "of " + entries + " entries" + advice(fd), fd);
            }
            return open(binding, confined, fd, parameters.buffer());
        }
    }

    private static String advice(int result) {
        return switch (Errno.of(result)) {
            case ENOSYS -> " (this kernel is built without it)";
            case EPERM, EACCES -> " (see sysctl kernel.io_uring_disabled, or the seccomp profile of the container)";
            case EINVAL -> ALL_THAT_IS_NEEDED;
            case ENOMEM -> " (raise the limit of locked memory, ulimit -l)";
            default -> "";
        };
    }

    private static Ring open(Binding binding, BooleanSupplier confined, int fd, ByteBuffer parameters)
            throws IOException {
        Ring ring;
        try {
            int features = parameters.getInt(IoUringParams.FEATURES);
            if ((features & NEEDED) != NEEDED) {
                throw new IOException("this kernel's io_uring lacks features 0x"
                        + Integer.toHexString(NEEDED & ~features) + ALL_THAT_IS_NEEDED);
            }
            ring = mapped(binding, confined, fd, parameters);
        } catch (Throwable e) {
            OperatingSystem.of(binding).close(fd, false);
            throw e;
        }
        try {
            ring.requireEnter();
            return ring;
        } catch (Throwable e) {
            ring.close();
            throw e;
        }
    }

    /** A policy may allow the other two calls but forget this one. */
    private void requireEnter() throws SystemCallException {
        int result = linux.io_uring_enter(descriptor, 0, 0, 0, 0, 0);
        if (result < 0 && result != NOT_ENABLED && !Errno.EAGAIN.is(result) && !Errno.EBUSY.is(result)
                && !Errno.EINTR.is(result)) {
            throw new SystemCallException("io_uring_enter", "of nothing" + advice(result), result);
        }
    }

    private static Ring mapped(Binding binding, BooleanSupplier confined, int fd, ByteBuffer parameters)
            throws IOException {
        int submissionCount = parameters.getInt(IoUringParams.SQ_ENTRIES);
        int arrayEnd = parameters.getInt(IoUringParams.SQ_ARRAY) + submissionCount * Integer.BYTES;
        int completionsEnd = parameters.getInt(IoUringParams.CQ_CQES)
                + parameters.getInt(IoUringParams.CQ_ENTRIES) * IoUringCqe.SIZE;
        MemoryBlock queues = map(binding, fd, Math.max(arrayEnd, completionsEnd), IORING_OFF_SQ_RING);
        try {
            MemoryBlock submissions = map(binding, fd, submissionCount * IoUringSqe.SIZE, IORING_OFF_SQES);
            try {
                return new Ring(binding, confined, fd, parameters, queues, submissions);
            } catch (Throwable e) {
                submissions.close();
                throw e;
            }
        } catch (Throwable e) {
            queues.close();
            throw e;
        }
    }

    private static void clear(ByteBuffer parameters) {
        for (int i = 0; i < IoUringParams.SIZE; i += Long.BYTES) {
            parameters.putLong(i, 0);
        }
    }

    /** {@return the memory of the entry whose place {@link #nextSubmission} returns} */
    ByteBuffer submissions() {
        return entries;
    }

    /**
     * {@return the place of the next entry to be submitted, or -1 if the queue is full, in which case {@link #enter}
     * empties it}
     */
    int nextSubmission() {
        assert confined.getAsBoolean();
        if (pendingSubmissions() == submissionCount) {
            return -1;
        }
        int index = submissionTail & submissionCount - 1;
        submissionTail++;
        return index * IoUringSqe.SIZE;
    }

    /** {@return whether {@link #nextSubmission()} would return a place} */
    boolean hasRoom() {
        return pendingSubmissions() < submissionCount;
    }

    /** {@return whether only the thread that enabled it may enter it} */
    boolean isSingleIssuer() {
        return (setUpFlags & IORING_SETUP_SINGLE_ISSUER) != 0;
    }

    /**
     * Enables a ring that was set up disabled; if it has a single issuer, only the calling thread may then use it.
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
     * @param purpose  for the message
     * @param opcode   the command
     * @param argument its argument
     * @param count    its count
     * @throws SystemCallException if the kernel refuses
     */
    void register(String purpose, int opcode, long argument, int count) throws SystemCallException {
        int result = linux.io_uring_register(descriptor, opcode, argument, count);
        if (result < 0) {
            throw new SystemCallException("io_uring_register", purpose, result);
        }
    }

    /** {@return how many entries the kernel has not taken yet} */
    int pendingSubmissions() {
        return submissionTail - (int) INT.getAcquire(ring, submissionHeadAt);
    }

    /** {@return whether an entry that the kernel has not taken yet carries this user data} */
    boolean isPending(long userData) {
        assert confined.getAsBoolean();
        for (int i = pendingSubmissions(); i > 0; i--) {
            int index = submissionTail - i & submissionCount - 1;
            if (IoUringSqe.userData(entries, index * IoUringSqe.SIZE) == userData) {
                return true;
            }
        }
        return false;
    }

    /**
     * Submits what is pending and waits.
     *
     * @param minimum      how many completions to wait for, 0 for none
     * @param timeoutNanos the longest to wait; negative means forever
     * @return what the call returned; {@code -ETIME} if the time was over and nothing was submitted
     */
    int enter(int minimum, long timeoutNanos) {
        assert confined.getAsBoolean();
        INT.setRelease(ring, submissionTailAt, submissionTail);
        int flags = IORING_ENTER_GETEVENTS;
        if (timeoutNanos < 0) {
            return linux.io_uring_enter(descriptor, pendingSubmissions(), minimum, flags, 0, 0);
        }
        KernelTimespec.set(argument.buffer(), TIMESPEC, timeoutNanos);
        return linux.io_uring_enter(descriptor, pendingSubmissions(), minimum, flags | IORING_ENTER_EXT_ARG,
                argument.address(), IoUringGeteventsArg.SIZE);
    }

    /** {@return how many completions are there} */
    int completions() {
        return (int) INT.getAcquire(ring, completionTailAt) - completionHead;
    }

    /**
     * {@return whether the kernel holds back completions for which the queue had no room; {@link #enter} fetches them}
     */
    boolean hasOverflown() {
        return ((int) INT.getAcquire(ring, submissionFlagsAt) & IORING_SQ_CQ_OVERFLOW) != 0;
    }

    /** {@return the memory of the completion whose place {@link #nextCompletion} returns} */
    ByteBuffer completionQueue() {
        return ring;
    }

    /** {@return the place of the oldest completion; call it only if there is one} */
    int nextCompletion() {
        return completionsAt + (completionHead & completionMask) * IoUringCqe.SIZE;
    }

    /** Gives the oldest completion's place back to the kernel. */
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

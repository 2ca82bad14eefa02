package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQES;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQ_RING;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_CLAMP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_CQSIZE;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Sets up a {@link Ring}, and maps its queues. */
final class RingOpening {

    private RingOpening() {
    }

    /**
     * Sets up an instance.
     *
     * @param binding     makes the calls
     * @param confined    returns whether the calling thread may use the ring; for assertions
     * @param entries     the number of entries of the submission queue
     * @param completions the number of entries of the completion queue, at least that of the submission queue
     * @param bestToPlain the set-up flags in the order in which they are tried: an older kernel refuses unknown ones
     * @return the instance
     * @throws IOException if the kernel or a policy refuses io_uring, or the kernel lacks a required feature
     */
    static Ring open(Binding binding, BooleanSupplier confined, int entries, int completions, int... bestToPlain)
            throws IOException {
        try (MemoryBlock parameters = binding.memory().allocate(IoUringParams.SIZE)) {
            int fd = -Errno.EINVAL.number();
            for (int i = 0; i < bestToPlain.length && Errno.EINVAL.is(fd); i++) {
                parameters.buffer().put(0, new byte[IoUringParams.SIZE]);
                parameters.buffer().putInt(IoUringParams.FLAGS,
                        bestToPlain[i] | IORING_SETUP_CLAMP | IORING_SETUP_CQSIZE);
                parameters.buffer().putInt(IoUringParams.CQ_ENTRIES, completions);
                fd = binding.linux().io_uring_setup(entries, parameters.address());
            }
            if (fd < 0) {
                throw new SystemCallException("io_uring_setup", "of " + entries + " entries" + Features.advice(fd), fd);
            }
            return open(binding, confined, fd, parameters.buffer());
        }
    }

    private static Ring open(Binding binding, BooleanSupplier confined, int fd, ByteBuffer parameters)
            throws IOException {
        MemoryBlock queues = null;
        MemoryBlock submissions = null;
        Ring ring = null;
        try {
            Features.require(parameters.getInt(IoUringParams.FEATURES));
            int submissionCount = parameters.getInt(IoUringParams.SQ_ENTRIES);
            int arrayEnd = parameters.getInt(IoUringParams.SQ_ARRAY) + submissionCount * Integer.BYTES;
            int completionsEnd = parameters.getInt(IoUringParams.CQ_CQES)
                    + parameters.getInt(IoUringParams.CQ_ENTRIES) * IoUringCqe.SIZE;
            int flags = FileConstants.MAP_SHARED | FileConstants.MAP_POPULATE;
            queues = KernelMemory.map(binding, "io_uring queues", Math.max(arrayEnd, completionsEnd), flags, fd,
                    IORING_OFF_SQ_RING);
            submissions = KernelMemory.map(binding, "io_uring queues", submissionCount * IoUringSqe.SIZE, flags, fd,
                    IORING_OFF_SQES);
            ring = new Ring(binding, confined, fd, parameters, queues, submissions);
            ring.requireEnter();
            return ring;
        } catch (Throwable e) {
            if (ring != null) {
                ring.close();
            } else {
                closeOpened(binding, fd, queues, submissions);
            }
            throw e;
        }
    }

    /** Closes what has been opened; the rest is null. */
    private static void closeOpened(Binding binding, int fd, @Nullable MemoryBlock queues,
            @Nullable MemoryBlock submissions) {
        if (submissions != null) {
            submissions.close();
        }
        if (queues != null) {
            queues.close();
        }
        OperatingSystem.of(binding).close(fd, false);
    }
}

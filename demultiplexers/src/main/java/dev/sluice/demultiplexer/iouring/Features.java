package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_EXT_ARG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_NODROP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_SINGLE_MMAP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ACCEPT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CLOSE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CONNECT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECVMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND_ZC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SHUTDOWN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SOCKET;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SPLICE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITEV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_PROBE;
import static dev.sluice.calls.layout.IoUringConstants.IO_URING_OP_SUPPORTED;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoUringProbe;
import dev.sluice.calls.layout.IoUringProbeOp;
import java.io.IOException;

/**
 * Optional features of the running kernel.
 *
 * @param multishotAccept  whether one request can accept many connections
 * @param multishotReceive whether one request can receive many times, into provided buffers
 * @param zeroCopySend     whether the kernel can send from the pages of the process
 * @param opcodes          the operations that the kernel has, a bit for each opcode
 */
record Features(boolean multishotAccept, boolean multishotReceive, boolean zeroCopySend, long opcodes) {

    /** No optional features. */
    static final Features PLAIN = new Features(false, false, false, 0);

    /** The end of messages about missing features. */
    static final String REQUIREMENTS = " (Linux 5.11 or later is required)";

    // Without NODROP, a full completion queue would lose completions; without EXT_ARG, a wait could not have a timeout.
    private static final int REQUIRED_FEATURES = IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG | IORING_FEAT_SINGLE_MMAP;
    private static final int MAX_OPERATIONS = 256;
    /** The opcodes that an {@link IoUringDemultiplexer} requires. */
    static final int[] REQUIRED = {IORING_OP_READV, IORING_OP_WRITEV, IORING_OP_FSYNC, IORING_OP_POLL_ADD,
        IORING_OP_SENDMSG, IORING_OP_RECVMSG, IORING_OP_TIMEOUT, IORING_OP_ACCEPT, IORING_OP_ASYNC_CANCEL,
        IORING_OP_CONNECT, IORING_OP_OPENAT, IORING_OP_CLOSE, IORING_OP_READ, IORING_OP_WRITE, IORING_OP_SEND,
        IORING_OP_RECV, IORING_OP_SPLICE, IORING_OP_SHUTDOWN};

    /**
     * {@return advice for the message of an error}
     *
     * @param result the negated error number of a call that sets up or uses an instance
     */
    static String advice(int result) {
        return switch (Errno.of(result)) {
            case ENOSYS -> " (this kernel is built without it)";
            case EPERM, EACCES -> " (see sysctl kernel.io_uring_disabled, or the seccomp profile of the container)";
            case EINVAL -> REQUIREMENTS;
            case ENOMEM -> " (raise the limit of locked memory, ulimit -l)";
            default -> "";
        };
    }

    /**
     * Checks the features that the kernel reports when an instance is set up.
     *
     * @param features the {@code IORING_FEAT_} flags
     * @throws IOException if a required feature is missing
     */
    static void require(int features) throws IOException {
        if ((features & REQUIRED_FEATURES) != REQUIRED_FEATURES) {
            throw new IOException("this kernel's io_uring lacks features 0x"
                    + Integer.toHexString(REQUIRED_FEATURES & ~features) + REQUIREMENTS);
        }
    }

    /**
     * Asks the kernel which operations it supports.
     *
     * @param ring   an instance
     * @param needed the opcodes of required operations
     * @return the optional features
     * @throws IOException if the kernel lacks a required operation
     */
    static Features probe(Ring ring, int... needed) throws IOException {
        try (MemoryBlock probe = Bindings.current().memory().allocate(
                IoUringProbe.SIZE + MAX_OPERATIONS * IoUringProbeOp.SIZE)) {
            ring.register("probe", IORING_REGISTER_PROBE, probe.address(), MAX_OPERATIONS);
            for (int operation : needed) {
                if (!has(probe, operation)) {
                    throw new IOException("this kernel's io_uring lacks operation " + operation
                            + REQUIREMENTS);
                }
            }
            // Flags cannot be probed, but operations that were added together with them can: multishot accept with
            // IORING_OP_SOCKET in 5.19, multishot receive with IORING_OP_SEND_ZC in 6.0.
            boolean zeroCopy = has(probe, IORING_OP_SEND_ZC);
            return new Features(has(probe, IORING_OP_SOCKET), zeroCopy, zeroCopy, opcodes(probe));
        }
    }

    /** {@return whether the kernel has an operation that not every kernel has} */
    boolean has(int operation) {
        return (opcodes >>> operation & 1) != 0;
    }

    private static long opcodes(MemoryBlock probe) {
        long opcodes = 0;
        for (int operation = 0; operation < Long.SIZE; operation++) {
            opcodes |= has(probe, operation) ? 1L << operation : 0;
        }
        return opcodes;
    }

    private static boolean has(MemoryBlock probe, int operation) {
        int at = IoUringProbe.OPS + operation * IoUringProbeOp.SIZE;
        return (IoUringProbeOp.flags(probe.buffer(), at) & IO_URING_OP_SUPPORTED) != 0;
    }
}

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
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoUringProbe;
import dev.sluice.calls.layout.IoUringProbeOp;
import java.io.IOException;

/**
 * What the running kernel can do beyond the indispensable.
 *
 * @param multishotAccept  one request accepts many connections
 * @param multishotReceive one request receives many times, into provided buffers
 * @param zeroCopySend     sends from the process's own pages
 */
record Features(boolean multishotAccept, boolean multishotReceive, boolean zeroCopySend) {

    /** Only what every supported kernel has. */
    static final Features PLAIN = new Features(false, false, false);

    /** For messages about what the kernel lacks. */
    static final String ALL_THAT_IS_NEEDED = " (Linux 5.11 has all that is needed)";

    // Without the first, a full completion queue would lose completions; without the second, a wait could not have a
    // timeout.
    private static final int NEEDED_FEATURES = IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG | IORING_FEAT_SINGLE_MMAP;
    private static final int MAX_OPERATIONS = 256;
    /** What an {@link IoUringDemultiplexer} cannot do without. */
    static final int[] NEEDED = {IORING_OP_READV, IORING_OP_WRITEV, IORING_OP_FSYNC, IORING_OP_POLL_ADD,
        IORING_OP_SENDMSG, IORING_OP_RECVMSG, IORING_OP_TIMEOUT, IORING_OP_ACCEPT, IORING_OP_ASYNC_CANCEL,
        IORING_OP_CONNECT, IORING_OP_OPENAT, IORING_OP_CLOSE, IORING_OP_READ, IORING_OP_WRITE, IORING_OP_SEND,
        IORING_OP_RECV, IORING_OP_SPLICE, IORING_OP_SHUTDOWN};

    /**
     * Checks what the kernel says of itself when an instance is set up.
     *
     * @param features the {@code IORING_FEAT_} flags
     * @throws IOException if one is missing that is needed
     */
    static void require(int features) throws IOException {
        if ((features & NEEDED_FEATURES) != NEEDED_FEATURES) {
            throw new IOException("this kernel's io_uring lacks features 0x"
                    + Integer.toHexString(NEEDED_FEATURES & ~features) + ALL_THAT_IS_NEEDED);
        }
    }

    /**
     * Asks the kernel.
     *
     * @param ring   an instance
     * @param needed the numbers of the operations that are indispensable
     * @return what it can do
     * @throws IOException if it lacks an operation that is needed
     */
    static Features probe(Ring ring, int... needed) throws IOException {
        try (MemoryBlock probe = Bindings.current().memory().allocate(
                IoUringProbe.SIZE + MAX_OPERATIONS * IoUringProbeOp.SIZE)) {
            ring.register("probe", IORING_REGISTER_PROBE, probe.address(), MAX_OPERATIONS);
            for (int operation : needed) {
                if (!has(probe, operation)) {
                    throw new IOException("this kernel's io_uring lacks operation " + operation
                            + ALL_THAT_IS_NEEDED);
                }
            }
            // Flags cannot be probed, but operations that came into the kernel together with them can: multishot accept
            // with IORING_OP_SOCKET in 5.19, multishot receive with IORING_OP_SEND_ZC in 6.0.
            boolean zeroCopy = has(probe, IORING_OP_SEND_ZC);
            return new Features(has(probe, IORING_OP_SOCKET), zeroCopy, zeroCopy);
        }
    }

    private static boolean has(MemoryBlock probe, int operation) {
        int at = IoUringProbe.OPS + operation * IoUringProbeOp.SIZE;
        return (IoUringProbeOp.flags(probe.buffer(), at) & IO_URING_OP_SUPPORTED) != 0;
    }
}

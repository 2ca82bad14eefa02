package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.FD_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.F_GETFD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_BUFFER_SHIFT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_BUFFER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_ENTER_EXT_ARG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_ENTER_GETEVENTS;
import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_EXT_ARG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_FEAT_SINGLE_MMAP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_NOP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND_ZC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_PBUF_RING;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_PROBE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_UNREGISTER_PBUF_RING;
import static dev.sluice.calls.layout.IoUringConstants.IOSQE_BUFFER_SELECT;
import static dev.sluice.calls.layout.IoUringConstants.IO_URING_OP_SUPPORTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.layout.IoUringBuf;
import dev.sluice.calls.layout.IoUringBufReg;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringGeteventsArg;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringProbe;
import dev.sluice.calls.layout.IoUringProbeOp;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.KernelTimespec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The three calls of io_uring, and its queues in shared memory; where the machine allows it. */
public abstract class IoUringContract extends BindingContract {

    /** Each byte differs, so that none can be lost or swapped unseen. */
    private static final long DATA = 0x0123456789ABCDEFL;
    private static final int ENTRIES = 4;
    private static final int NEEDED = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_EXT_ARG;
    private static final int ALL_OPERATIONS = 256;
    /** A multiple of every page size that our CPUs have. */
    private static final int PAGE = 1 << 16;
    private static final int GROUP = 7;
    private static final VarHandle SHORT =
            MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.nativeOrder());

    private final Linux linux;
    private MemoryBlock parameters;
    private int ring;
    private MappedRing queues;

    protected IoUringContract(Binding binding) {
        super(binding);
        this.linux = binding.linux();
    }

    @BeforeEach
    void setUp() {
        parameters = block(IoUringParams.SIZE);
        int fd = linux.io_uring_setup(ENTRIES, parameters.address());
        assumeFalse(Errno.ENOSYS.is(fd) || Errno.EPERM.is(fd),
                () -> "io_uring is refused here: io_uring_setup: " + Errno.describe(fd));
        ring = own(fd);
        int features = parameters.buffer().getInt(IoUringParams.FEATURES);
        assumeTrue((features & NEEDED) == NEEDED, "this kernel's io_uring is older than Linux 5.11");
        queues = new MappedRing(binding, ring, parameters.buffer());
    }

    @AfterEach
    void unmap() {
        if (queues != null) {
            queues.close();
        }
    }

    @Test
    void setupReturnsTheParameters() {
        ByteBuffer made = parameters.buffer();
        assertEquals(ENTRIES, made.getInt(IoUringParams.SQ_ENTRIES));
        assertEquals(2 * ENTRIES, made.getInt(IoUringParams.CQ_ENTRIES));
        assertEquals(ENTRIES, queues.value(IoUringParams.SQ_RING_ENTRIES));
        assertEquals(ENTRIES - 1, queues.value(IoUringParams.SQ_RING_MASK));
        assertEquals(2 * ENTRIES, queues.value(IoUringParams.CQ_RING_ENTRIES));
        assertEquals(2 * ENTRIES - 1, queues.value(IoUringParams.CQ_RING_MASK));
        assertEquals(FD_CLOEXEC, posix.fcntl(ring, F_GETFD, 0));
    }

    @Test
    void whatIsSubmittedCompletes() {
        // More than the queues have room for at once.
        for (int i = 0; i < 3 * ENTRIES; i++) {
            queues.set(IORING_OP_NOP, -1, 0, 0, DATA + i);
            queues.announce();
            assertEquals(1, linux.io_uring_enter(ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0));
            assertEquals(i + 1, queues.value(IoUringParams.SQ_HEAD), "taken");
            ByteBuffer completion = queues.takeCompletion();
            assertEquals(DATA + i, completion.getLong(IoUringCqe.USER_DATA));
            assertEquals(0, completion.getInt(IoUringCqe.RES));
            assertEquals(0, completion.getInt(IoUringCqe.FLAGS));
        }
        assertEquals(0, linux.io_uring_enter(ring, 1, 0, 0, 0, 0), "nothing is left to submit");
    }

    @Test
    void completionsReportErrors() {
        queues.set(IORING_OP_READ, -1, block(1).address(), 1, DATA);
        assertFails(Errno.EBADF, submitAndWait().getInt(IoUringCqe.RES));
    }

    private ByteBuffer submitAndWait() {
        queues.announce();
        assertEquals(1, linux.io_uring_enter(ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0));
        ByteBuffer completion = queues.takeCompletion();
        assertEquals(DATA, completion.getLong(IoUringCqe.USER_DATA));
        return completion;
    }

    @Test
    void probeReportsOperations() {
        ByteBuffer probe = probe();
        int last = Byte.toUnsignedInt(probe.get(IoUringProbe.LAST_OP));
        assertEquals(last + 1, Byte.toUnsignedInt(probe.get(IoUringProbe.OPS_LEN)));
        for (int operation = 0; operation <= last; operation++) {
            int at = IoUringProbe.OPS + operation * IoUringProbeOp.SIZE;
            assertEquals(operation, Byte.toUnsignedInt(probe.get(at + IoUringProbeOp.OP)));
        }
        assertTrue(supports(probe, IORING_OP_NOP));
        assertTrue(supports(probe, IORING_OP_READ));
    }

    private ByteBuffer probe() {
        MemoryBlock probe = block(IoUringProbe.SIZE + ALL_OPERATIONS * IoUringProbeOp.SIZE);
        assertEquals(0, linux.io_uring_register(ring, IORING_REGISTER_PROBE, probe.address(), ALL_OPERATIONS));
        return probe.buffer();
    }

    private static boolean supports(ByteBuffer probe, int operation) {
        int at = IoUringProbe.OPS + operation * IoUringProbeOp.SIZE;
        return (IoUringProbeOp.flags(probe, at) & IO_URING_OP_SUPPORTED) != 0;
    }

    @Test
    void readTakesAProvidedBuffer() {
        assumeTrue(supports(probe(), IORING_OP_SEND_ZC), "this kernel is older than Linux 6.0");
        MemoryBlock buffer = block(16);
        MemoryBlock room = block(2 * PAGE);
        int at = (int) (-room.address() & PAGE - 1);
        int buffers = PAGE / IoUringBuf.SIZE / 2;
        MemoryBlock registration = registration(room.address() + at, buffers);
        assertEquals(0, register(registration));
        room.buffer().putLong(at + IoUringBuf.ADDR, buffer.address()).putInt(at + IoUringBuf.LEN, 16)
                .putShort(at + IoUringBuf.BID, (short) 0xABCD);
        SHORT.setRelease(room.buffer(), at + IoUringBuf.TAIL, (short) 1);

        int[] pipe = pipe();
        assertEquals(4, posix.write(pipe[1], text("ring").address(), 4));
        ByteBuffer completion = read(pipe[0]);
        assertEquals(4, completion.getInt(IoUringCqe.RES));
        assertEquals(0xABCD << IORING_CQE_BUFFER_SHIFT | IORING_CQE_F_BUFFER, completion.getInt(IoUringCqe.FLAGS));
        assertEquals("ring", text(buffer, 0, 4));
        assertEquals(4, posix.write(pipe[1], text("none").address(), 4));
        assertFails(Errno.ENOBUFS, read(pipe[0]).getInt(IoUringCqe.RES));

        assertEquals(0, unregister(registration));
    }

    private MemoryBlock registration(long address, int buffers) {
        MemoryBlock registration = block(IoUringBufReg.SIZE);
        IoUringBufReg.set(registration.buffer(), 0, address, buffers, GROUP);
        return registration;
    }

    private ByteBuffer read(int fd) {
        queues.set(IORING_OP_READ, fd, 0, 16, DATA);
        queues.submissions().put(queues.submission() + IoUringSqe.FLAGS, (byte) IOSQE_BUFFER_SELECT)
                .putShort(queues.submission() + IoUringSqe.BUF_GROUP, (short) GROUP);
        return submitAndWait();
    }

    @Test
    void refusesBufferRings() {
        assumeTrue(supports(probe(), IORING_OP_SEND_ZC), "this kernel is older than Linux 6.0");
        MemoryBlock room = block(2 * PAGE);
        long page = room.address() + PAGE & -PAGE;
        MemoryBlock uneven = registration(page, 3);
        assertFails(Errno.EINVAL, register(uneven));
        MemoryBlock registration = registration(page, 4);
        assertFails(Errno.EINVAL, linux.io_uring_register(ring, IORING_REGISTER_PBUF_RING, registration.address(), 2));
        assertFails(Errno.ENOENT, unregister(registration));
        assertEquals(0, register(registration));
        assertFails(Errno.EEXIST, register(registration));
        assertEquals(0, unregister(registration));
        assertFails(Errno.ENOENT, unregister(registration));
    }

    private int register(MemoryBlock registration) {
        return linux.io_uring_register(ring, IORING_REGISTER_PBUF_RING, registration.address(), 1);
    }

    private int unregister(MemoryBlock registration) {
        return linux.io_uring_register(ring, IORING_UNREGISTER_PBUF_RING, registration.address(), 1);
    }

    @Test
    void waitsAsLongAsAsked() {
        MemoryBlock argument = block(IoUringGeteventsArg.SIZE + KernelTimespec.SIZE);
        KernelTimespec.set(argument.buffer(), IoUringGeteventsArg.SIZE, 20_000_000);
        argument.buffer().putLong(IoUringGeteventsArg.TS, argument.address() + IoUringGeteventsArg.SIZE);
        int flags = IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG;
        long start = System.nanoTime();
        assertFails(Errno.ETIME, linux.io_uring_enter(ring, 0, 1, flags, argument.address(),
                IoUringGeteventsArg.SIZE));
        long waited = System.nanoTime() - start;
        assertTrue(waited >= 20_000_000, () -> "waited only " + waited + " ns");
        assertFails(Errno.EINVAL, linux.io_uring_enter(ring, 0, 1, flags, argument.address(), 1));
    }

    @Test
    void refuses() {
        MemoryBlock zeros = block(IoUringParams.SIZE);
        assertFails(Errno.EINVAL, linux.io_uring_setup(0, zeros.address()));
        assertFails(Errno.EFAULT, linux.io_uring_setup(ENTRIES, 0));
        MemoryBlock unknownFlags = block(IoUringParams.SIZE);
        unknownFlags.buffer().putInt(IoUringParams.FLAGS, -1);
        assertFails(Errno.EINVAL, linux.io_uring_setup(ENTRIES, unknownFlags.address()));

        int pipe = pipe()[0];
        assertFails(Errno.EBADF, linux.io_uring_enter(-1, 0, 0, 0, 0, 0));
        assertFails(Errno.EOPNOTSUPP, linux.io_uring_enter(pipe, 0, 0, 0, 0, 0));
        assertFails(Errno.EINVAL, linux.io_uring_enter(ring, 0, 0, -1, 0, 0));
        // Not -1, which newer kernels take as "no ring" for what concerns none.
        assertFails(Errno.EBADF, linux.io_uring_register(Integer.MAX_VALUE, IORING_REGISTER_PROBE, zeros.address(), 1));
        assertFails(Errno.EOPNOTSUPP, linux.io_uring_register(pipe, IORING_REGISTER_PROBE, zeros.address(), 1));
        assertFails(Errno.EINVAL, linux.io_uring_register(ring, 9999, zeros.address(), 1));
        assertFails(Errno.EFAULT, linux.io_uring_register(ring, IORING_REGISTER_PROBE, 8, 1));
    }
}

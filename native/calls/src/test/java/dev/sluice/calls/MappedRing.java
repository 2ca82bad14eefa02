package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.MAP_POPULATE;
import static dev.sluice.calls.layout.FileConstants.MAP_SHARED;
import static dev.sluice.calls.layout.FileConstants.PROT_READ;
import static dev.sluice.calls.layout.FileConstants.PROT_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQES;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQ_RING;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringSqe;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Both queues of an io_uring instance, mapped where the kernel said they lie, for one entry at a time. */
final class MappedRing implements AutoCloseable {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final Posix posix;
    private final ByteBuffer parameters;
    private final MemoryBlock queues;
    private final MemoryBlock entries;

    /** Maps the queues of the instance that {@code io_uring_setup} described in the parameters. */
    MappedRing(Binding binding, int ring, ByteBuffer parameters) {
        this.posix = binding.posix();
        this.parameters = parameters;
        int indicesEnd = at(IoUringParams.SQ_ARRAY) + at(IoUringParams.SQ_ENTRIES) * Integer.BYTES;
        int completionsEnd = at(IoUringParams.CQ_CQES) + at(IoUringParams.CQ_ENTRIES) * IoUringCqe.SIZE;
        queues = map(binding, ring, Math.max(indicesEnd, completionsEnd), IORING_OFF_SQ_RING);
        entries = map(binding, ring, at(IoUringParams.SQ_ENTRIES) * IoUringSqe.SIZE, IORING_OFF_SQES);
    }

    private static MemoryBlock map(Binding binding, int ring, int size, long offset) {
        long address = BindingContract.ok(binding.posix().mmap(0, size, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_POPULATE, ring, offset));
        return binding.memory().wrap(address, size, () -> { });
    }

    private int at(int parameter) {
        return parameters.getInt(parameter);
    }

    /** {@return what the kernel keeps at the place that a parameter names} */
    int value(int parameter) {
        return (int) INT.getAcquire(queues.buffer(), at(parameter));
    }

    /** {@return where {@link #submission()} lies} */
    ByteBuffer submissions() {
        return entries.buffer();
    }

    /** {@return the place of the entry that {@link #announce()} hands to the kernel} */
    int submission() {
        return (value(IoUringParams.SQ_TAIL) & value(IoUringParams.SQ_RING_MASK)) * IoUringSqe.SIZE;
    }

    /** Fills in the entry that {@link #announce()} hands to the kernel; everything else in it is zero. */
    void set(int opcode, int fd, long address, int length, long userData) {
        int at = submission();
        submissions().put(at, new byte[IoUringSqe.SIZE]).put(at + IoUringSqe.OPCODE, (byte) opcode)
                .putInt(at + IoUringSqe.FD, fd).putLong(at + IoUringSqe.ADDR, address)
                .putInt(at + IoUringSqe.LEN, length).putLong(at + IoUringSqe.USER_DATA, userData);
    }

    void announce() {
        int tail = value(IoUringParams.SQ_TAIL);
        int index = tail & value(IoUringParams.SQ_RING_MASK);
        queues.buffer().putInt(at(IoUringParams.SQ_ARRAY) + index * Integer.BYTES, index);
        INT.setRelease(queues.buffer(), at(IoUringParams.SQ_TAIL), tail + 1);
    }

    /** {@return a copy of the only completion there is, which the kernel gets its place back from} */
    ByteBuffer takeCompletion() {
        int head = value(IoUringParams.CQ_HEAD);
        assertEquals(1, value(IoUringParams.CQ_TAIL) - head, "completions");
        int index = head & value(IoUringParams.CQ_RING_MASK);
        byte[] completion = new byte[IoUringCqe.SIZE];
        queues.buffer().get(at(IoUringParams.CQ_CQES) + index * IoUringCqe.SIZE, completion);
        INT.setRelease(queues.buffer(), at(IoUringParams.CQ_HEAD), head + 1);
        return ByteBuffer.wrap(completion).order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
        for (MemoryBlock mapping : new MemoryBlock[] {queues, entries}) {
            mapping.close();
            BindingContract.ok(posix.munmap(mapping.address(), mapping.buffer().capacity()));
        }
    }
}

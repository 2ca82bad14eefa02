package dev.sluice.recipes;

import static dev.sluice.calls.Errno.check;
import static dev.sluice.calls.layout.FileConstants.MAP_SHARED;
import static dev.sluice.calls.layout.FileConstants.PROT_READ;
import static dev.sluice.calls.layout.FileConstants.PROT_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_ENTER_GETEVENTS;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQES;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQ_RING;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringSqe;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * The CRC-32 of a file, its standard input, as gzip computes it: by system calls alone, with eight reads at a time on
 * an io_uring.
 */
public final class IoUringByHand {

    private static final Binding NATIVE = Bindings.current();
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final int DEPTH = 8;
    private static final int BLOCK = 64 * 1024;

    public static void main(String[] args) throws IOException {
        MemoryBlock blocks = NATIVE.memory().allocate(DEPTH * BLOCK);
        MemoryBlock parameters = NATIVE.memory().allocate(IoUringParams.SIZE);
        ByteBuffer at = parameters.buffer();
        int ring = (int) check("io_uring_setup", NATIVE.linux().io_uring_setup(DEPTH, parameters.address()));
        ByteBuffer queues = map(ring, IORING_OFF_SQ_RING, 4096);
        ByteBuffer entries = map(ring, IORING_OFF_SQES, DEPTH * IoUringSqe.SIZE);
        CRC32 crc = new CRC32();
        long read = DEPTH * BLOCK;
        for (int first = 0; read == DEPTH * BLOCK; first += DEPTH) {
            for (int i = 0; i < DEPTH; i++) {
                queues.putInt(at.getInt(IoUringParams.SQ_ARRAY) + i * Integer.BYTES, i);
                IoUringSqe.set(entries, i * IoUringSqe.SIZE, IORING_OP_READ, 0, (long) (first + i) * BLOCK,
                        blocks.address() + i * BLOCK, BLOCK, 0, i);
            }
            INT.setRelease(queues, at.getInt(IoUringParams.SQ_TAIL), first + DEPTH);
            while ((int) INT.getAcquire(queues, at.getInt(IoUringParams.CQ_TAIL)) < first + DEPTH) {
                NATIVE.linux().io_uring_enter(ring, DEPTH, DEPTH, IORING_ENTER_GETEVENTS, 0, 0);
            }
            read = 0;
            for (int i = 0; i < DEPTH; i++) {
                int completion = (first + i) % at.getInt(IoUringParams.CQ_ENTRIES) * IoUringCqe.SIZE;
                read += check("read", queues.getInt(at.getInt(IoUringParams.CQ_CQES) + completion + IoUringCqe.RES));
            }
            INT.setRelease(queues, at.getInt(IoUringParams.CQ_HEAD), first + DEPTH);
            crc.update(blocks.buffer().clear().limit((int) read));
        }
        System.out.println(Long.toHexString(crc.getValue()));
    }

    private static ByteBuffer map(int ring, long offset, int size) throws IOException {
        long address = NATIVE.posix().mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, offset);
        return NATIVE.memory().wrap(check("mmap", address), size, () -> { }).buffer();
    }
}

package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_PBUF_RING;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringBuf;
import dev.sluice.calls.layout.IoUringBufReg;
import dev.sluice.demultiplexer.operation.BufferGroup;
import dev.sluice.demultiplexer.operation.PooledBuffer;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.handle.SystemCallException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ring from which the kernel takes provided buffers of one group. The ring of the ordinary buffers refers to that
 * of the large ones. Used inside.
 */
final class BufferRing implements AutoCloseable {

    private static final VarHandle SHORT = MethodHandles.byteBufferViewVarHandle(short[].class,
            ByteOrder.nativeOrder());

    private final int number;
    /** The ring of the large buffers; null if there are none, or this is that ring. */
    private final @Nullable BufferRing large;
    private final BufferGroup group;
    /** All buffers of the group, in the order of their numbers. */
    private final List<PooledBuffer> buffers;
    private final MemoryBlock entries;
    private final ByteBuffer memory;
    private final int mask;
    private final int maxOffered;
    private short tail;
    private short published;
    /** The number of buffers that have been offered to the kernel and not been reported as taken. */
    private int offered;

    /**
     * Registers an empty ring for each group.
     *
     * @param ring     the io_uring instance that takes buffers from the rings
     * @param provided the buffers
     * @param size     the sizes of the groups
     * @return the ring of the ordinary buffers, or null if the kernel does not support such rings
     * @throws SystemCallException if the kernel refuses
     */
    static @Nullable BufferRing register(Ring ring, ProvidedBuffers provided, ProvidedBuffers.Size size)
            throws SystemCallException {
        BufferRing large = null;
        try {
            BufferGroup.Size largeSize = size.large();
            BufferGroup largeGroup = provided.large();
            if (largeSize != null && largeGroup != null) {
                large = new BufferRing(ring, largeGroup, ProvidedBuffers.LARGE, largeSize.max(),
                        maxLargeOffered(size, largeSize), null);
            }
            return new BufferRing(ring, provided.ordinary(), ProvidedBuffers.ORDINARY, size.ordinary().max(),
                    size.maxOffered(), large);
        } catch (Throwable e) {
            if (large != null) {
                large.close();
            }
            if (e instanceof SystemCallException refusal && refusal.errorName().equals(Errno.EINVAL.name())) {
                return null;
            }
            throw e;
        }
    }

    private static int maxLargeOffered(ProvidedBuffers.Size size, BufferGroup.Size large) {
        int offered = size.maxOffered() / (large.bytes() / size.ordinary().bytes());
        return size.isLimited() ? Math.min(large.max(), Math.max(1, offered)) : large.max();
    }

    /**
     * Registers a ring with space for {@code count} buffers, a power of two, at most {@code maxOffered} of which are
     * offered to the kernel at a time.
     */
    private BufferRing(Ring ring, BufferGroup group, int number, int count, int maxOffered, @Nullable BufferRing large)
            throws SystemCallException {
        this.group = group;
        this.buffers = group.buffers();
        this.number = number;
        this.large = large;
        this.maxOffered = maxOffered;
        // The kernel requires the ring to begin on a page boundary.
        entries = KernelMemory.map(Bindings.current(), "ring of provided buffers", count * IoUringBuf.SIZE,
                FileConstants.MAP_PRIVATE | FileConstants.MAP_ANONYMOUS, -1, 0);
        memory = entries.buffer();
        mask = count - 1;
        try (MemoryBlock registration = Bindings.current().memory().allocate(IoUringBufReg.SIZE)) {
            IoUringBufReg.set(registration.buffer(), 0, entries.address(), count, number);
            ring.register("provided buffers", IORING_REGISTER_PBUF_RING, registration.address(), 1);
        } catch (Throwable e) {
            entries.close();
            throw e;
        }
    }

    /** {@return the number of the buffer group in requests} */
    int number() {
        return number;
    }

    /** {@return the ring of the large buffers, or null} */
    @Nullable BufferRing large() {
        return large;
    }

    private void offer(PooledBuffer buffer) {
        // The last two bytes are not written: in the first entry they are the tail of the ring.
        int at = (tail & mask) * IoUringBuf.SIZE;
        memory.putLong(at + IoUringBuf.ADDR, buffer.address());
        memory.putInt(at + IoUringBuf.LEN, buffer.size());
        memory.putShort(at + IoUringBuf.BID, (short) buffer.number());
        tail++;
        offered++;
    }

    /**
     * Offers free buffers to the kernel, up to the maximum. All of them are published together, because publishing
     * costs a barrier.
     */
    void publish() {
        PooledBuffer buffer;
        while (offered < maxOffered && (buffer = PooledBuffer.takeFree(group)) != null) {
            offer(buffer);
        }
        if (published != tail) {
            published = tail;
            SHORT.setRelease(memory, IoUringBuf.TAIL, tail);
        }
        if (large != null) {
            large.publish();
        }
    }

    /**
     * {@return the buffer with the given number; null if there is none}
     *
     * @param numberOfBuffer the {@link PooledBuffer#number()}
     */
    @Nullable PooledBuffer get(int numberOfBuffer) {
        return numberOfBuffer < buffers.size() ? buffers.get(numberOfBuffer) : null;
    }

    /** Called when the kernel has reported a buffer as taken. */
    void taken() {
        offered--;
    }

    /** {@return whether there are buffers that the kernel has not reported as taken} */
    boolean areOffered() {
        return offered > 0;
    }

    /** {@return whether there are buffers that the kernel has not reported as taken, or that are free} */
    boolean hasBuffers() {
        return offered > 0 || group.hasFree();
    }

    @Override
    public void close() {
        entries.close();
        if (large != null) {
            large.close();
        }
    }
}

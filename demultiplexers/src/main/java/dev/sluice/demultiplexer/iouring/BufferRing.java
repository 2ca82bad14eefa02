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

/**
 * The provided buffers of one group that the kernel may receive into, in the ring from which it takes them; that of the
 * ordinary ones leads to that of the large ones. Used by the loop thread.
 */
final class BufferRing implements AutoCloseable {

    private static final VarHandle SHORT = MethodHandles.byteBufferViewVarHandle(short[].class,
            ByteOrder.nativeOrder());

    private final int number;
    /** Null if there are no large buffers, or these are them. */
    private final BufferRing large;
    private final BufferGroup group;
    /** All buffers of the group, in the order of their numbers. */
    private final List<PooledBuffer> buffers;
    private final MemoryBlock entries;
    private final ByteBuffer memory;
    private final int mask;
    private final int maxOffered;
    private short tail;
    private short published;
    /** How many the kernel sees, and has not taken, or not reported as taken. */
    private int offered;

    /**
     * Registers a ring for each group, without buffers.
     *
     * @param ring     the instance that takes buffers from them
     * @param provided the buffers
     * @param size     the maximum number of buffers
     * @return the ring of the ordinary buffers, or null if the kernel does not support such rings
     * @throws SystemCallException if the kernel refuses
     */
    static BufferRing register(Ring ring, ProvidedBuffers provided, ProvidedBuffers.Size size)
            throws SystemCallException {
        BufferRing large = null;
        try {
            if (size.large() != null) {
                large = new BufferRing(ring, provided.large(), ProvidedBuffers.LARGE, size.large().most(),
                        maxLargeOffered(size), null);
            }
            return new BufferRing(ring, provided.ordinary(), ProvidedBuffers.ORDINARY, size.ordinary().most(),
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

    private static int maxLargeOffered(ProvidedBuffers.Size size) {
        int offered = size.maxOffered() / (size.large().bytes() / size.ordinary().bytes());
        return size.isLimited() ? Math.min(size.large().most(), Math.max(1, offered)) : size.large().most();
    }

    /** Registers one that can hold {@code count} buffers, a power of two, of which the kernel sees some at once. */
    private BufferRing(Ring ring, BufferGroup group, int number, int count, int maxOffered, BufferRing large)
            throws SystemCallException {
        this.group = group;
        this.buffers = group.buffers();
        this.number = number;
        this.large = large;
        this.maxOffered = maxOffered;
        // The kernel requires it to begin on a page boundary.
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

    /** {@return the number by which requests name it} */
    int number() {
        return number;
    }

    /** {@return that of the large buffers, or null} */
    BufferRing large() {
        return large;
    }

    private void offer(PooledBuffer buffer) {
        // Not the last two bytes, which in the first entry are the ring's tail.
        int at = (tail & mask) * IoUringBuf.SIZE;
        memory.putLong(at + IoUringBuf.ADDR, buffer.address());
        memory.putInt(at + IoUringBuf.LEN, buffer.size());
        memory.putShort(at + IoUringBuf.BID, (short) buffer.number());
        tail++;
        offered++;
    }

    /**
     * Makes free buffers visible to the kernel, as many as it is to see, and all at once, since this costs a barrier.
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
     * {@return one of its buffers; null if there is none}
     *
     * @param numberOfBuffer its {@link PooledBuffer#number()}
     */
    PooledBuffer get(int numberOfBuffer) {
        return numberOfBuffer < buffers.size() ? buffers.get(numberOfBuffer) : null;
    }

    /** The kernel has taken a buffer. */
    void taken() {
        offered--;
    }

    /** {@return whether there are buffers that the kernel has not taken, or not reported as taken} */
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

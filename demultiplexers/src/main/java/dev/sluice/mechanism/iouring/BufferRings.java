package dev.sluice.mechanism.iouring;

import dev.sluice.handle.SystemCallException;
import dev.sluice.mechanism.operation.BufferGroup;
import dev.sluice.mechanism.operation.PooledBuffer;
import dev.sluice.mechanism.operation.ProvidedBuffers;
import java.util.function.BooleanSupplier;

/** A ring for each group of provided buffers. Used by the loop thread. */
final class BufferRings implements AutoCloseable {

    private final BufferRing ordinary;
    /** Null if there are no large buffers. */
    private final BufferRing large;

    /**
     * Registers the rings, without buffers.
     *
     * @param ring     the instance that takes buffers from them
     * @param confined tells whether the calling thread is the one that may use them; for assertions
     * @param size     how many buffers there may be
     * @return the rings, or null if the kernel does not support such rings
     * @throws SystemCallException if the kernel refuses
     */
    static BufferRings register(Ring ring, BooleanSupplier confined, ProvidedBuffers.Size size)
            throws SystemCallException {
        BufferRing ordinary = BufferRing.register(ring, confined, ProvidedBuffers.ORDINARY, size.ordinary().most(),
                size.mostOffered());
        if (ordinary == null) {
            return null;
        }
        try {
            // What has taken the first takes the second, too.
            return new BufferRings(ordinary, size.large() == null ? null
                    : BufferRing.register(ring, confined, ProvidedBuffers.LARGE, size.large().most(),
                            mostLargeOffered(size)));
        } catch (Throwable e) {
            ordinary.close();
            throw e;
        }
    }

    private static int mostLargeOffered(ProvidedBuffers.Size size) {
        int offered = size.mostOffered() / (size.large().bytes() / size.ordinary().bytes());
        return size.isLimited() ? Math.min(size.large().most(), Math.max(1, offered)) : size.large().most();
    }

    private BufferRings(BufferRing ordinary, BufferRing large) {
        this.ordinary = ordinary;
        this.large = large;
    }

    BufferRing ordinary() {
        return ordinary;
    }

    /** {@return where the buffers of a group are} */
    BufferRing of(BufferGroup group) {
        return group.number() == ProvidedBuffers.LARGE ? large : ordinary;
    }

    /** {@return where a buffer belongs} */
    BufferRing of(PooledBuffer buffer) {
        return of(buffer.group());
    }

    /** Makes everything that has been added visible to the kernel. */
    void publish() {
        ordinary.publish();
        if (large != null) {
            large.publish();
        }
    }

    @Override
    public void close() {
        ordinary.close();
        if (large != null) {
            large.close();
        }
    }
}

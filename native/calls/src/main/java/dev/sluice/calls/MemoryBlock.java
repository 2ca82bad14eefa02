package dev.sluice.calls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A block of {@link Memory} with one owner, which closes it when no call uses it any more. The buffer must not be used
 * afterwards. May be closed by any thread, and more than once.
 */
public final class MemoryBlock implements AutoCloseable {

    private static final AtomicLong OPEN_BYTES = new AtomicLong();

    private final ByteBuffer buffer;
    private final long address;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates a block. For bindings.
     *
     * @param buffer a direct buffer of the whole block
     * @param address the address of the buffer's index 0
     * @param release frees the memory
     */
    public MemoryBlock(ByteBuffer buffer, long address, Runnable release) {
        this.buffer = buffer.order(ByteOrder.nativeOrder());
        this.address = address;
        this.release = release;
        OPEN_BYTES.addAndGet(buffer.capacity());
    }

    /** {@return the whole block as a direct buffer in native byte order; always the same object} */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** {@return the address of the block's first byte} */
    public long address() {
        return address;
    }

    /** {@return whether the block has been closed} */
    public boolean isClosed() {
        return closed.get();
    }

    /**
     * Frees the memory. Closing again has no effect, unless the first close has failed.
     *
     * @throws IllegalStateException if the binding detects that the buffer is still in use, which FFM does for a buffer
     *                               that a channel of the JDK is reading or writing; then the block is not closed
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                release.run();
            } catch (Throwable e) {
                closed.set(false);
                throw e;
            }
            OPEN_BYTES.addAndGet(-buffer.capacity());
        }
    }

    /** {@return the total size in bytes of the blocks of this process that are not closed; for leak checks} */
    public static long openBytes() {
        return OPEN_BYTES.get();
    }
}

package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_BUFFERS2;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_BUFFERS_UPDATE;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoUringRsrcRegister;
import dev.sluice.calls.layout.IoUringRsrcUpdate2;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.handle.SystemCallException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buffers of programs that are registered with the kernel (io_uring_registered_buffers(7)): it looks up their pages
 * once, and not for each transfer. The kernel keeps the pages, so the table keeps the buffers, whose memory is not
 * freed as long as they are reachable: no other memory can have these addresses while an entry exists. Used inside.
 */
final class RegisteredBuffers implements AutoCloseable {

    /** The result of {@link #find} if no buffer contains the bytes. */
    static final int NONE = -1;

    private static final Logger LOG = LoggerFactory.getLogger(IoUringDemultiplexer.class);

    private static final int CAPACITY = 64;
    private static final int VECTOR = IoUringRsrcUpdate2.SIZE;
    private static final int MEMORY_SIZE = Math.max(IoUringRsrcRegister.SIZE, VECTOR + Iovec.SIZE);

    private final Ring ring;
    private final long[] begins = new long[CAPACITY];
    private final long[] ends = new long[CAPACITY];
    private final @Nullable ByteBuffer[] buffers = new ByteBuffer[CAPACITY];
    /** All entries from this one on are free. */
    private int end;
    /** The arguments of the calls, kept so that a release needs no memory; null as long as there is no table. */
    private @Nullable MemoryBlock memory;

    RegisteredBuffers(Ring ring) {
        this.ring = ring;
    }

    /**
     * Registers a buffer, if the kernel accepts it.
     *
     * @return the entry, or {@link #NONE}
     */
    int add(ByteBuffer buffer, long address, int length) {
        int entry = 0;
        while (entry < end && buffers[entry] != null) {
            entry++;
        }
        if (entry == CAPACITY) {
            return NONE;
        }
        try {
            replace(memory == null ? createTable() : memory, entry, address, length);
        } catch (SystemCallException e) {
            // The limit of locked memory, memory that cannot be locked, or a kernel without such tables.
            LOG.debug("{} bytes are used without being registered", length, e);
            return NONE;
        }
        // Without a call, for which there might be no stack.
        buffers[entry] = buffer;
        begins[entry] = address;
        ends[entry] = address + length;
        end = end > entry ? end : entry + 1;
        return entry;
    }

    /** {@return memory for the arguments of further calls} */
    private MemoryBlock createTable() throws SystemCallException {
        MemoryBlock block = Bindings.current().memory().allocate(MEMORY_SIZE);
        try {
            IoUringRsrcRegister.setSparse(block.buffer(), 0, CAPACITY);
            ring.register("table of buffers", IORING_REGISTER_BUFFERS2, block.address(), IoUringRsrcRegister.SIZE);
            memory = block;
            return block;
        } finally {
            if (memory == null) {
                block.close();
            }
        }
    }

    private void replace(MemoryBlock block, int entry, long address, int length) throws SystemCallException {
        Iovec.set(block.buffer(), VECTOR, address, length);
        IoUringRsrcUpdate2.set(block.buffer(), 0, entry, block.address() + VECTOR);
        ring.register("buffer", IORING_REGISTER_BUFFERS_UPDATE, block.address(), IoUringRsrcUpdate2.SIZE);
    }

    /**
     * Removes a buffer. Requests that the kernel executes keep its pages until they have completed. If this throws for
     * lack of memory or stack, it may be repeated.
     */
    void remove(int entry) {
        assert memory != null;
        begins[entry] = Long.MAX_VALUE;
        try {
            replace(memory, entry, 0, 0);
        } catch (SystemCallException e) {
            // The pages stay locked, and the entry taken, until the ring is closed.
            LOG.warn("a registered buffer cannot be released before its demultiplexer is closed", e);
            return;
        }
        buffers[entry] = null;
        while (end > 0 && buffers[end - 1] == null) {
            end--;
        }
    }

    /** {@return the entry of a buffer that contains all the bytes, or {@link #NONE}} */
    int find(long address, int length) {
        for (int entry = 0; entry < end; entry++) {
            if (address >= begins[entry] && address + length <= ends[entry]) {
                return entry;
            }
        }
        return NONE;
    }

    /** Forgets all buffers. Called after the ring has been closed. */
    @Override
    public void close() {
        end = 0;
        Arrays.fill(buffers, null);
        MemoryBlock block = memory;
        if (block != null) {
            block.close();
        }
    }
}

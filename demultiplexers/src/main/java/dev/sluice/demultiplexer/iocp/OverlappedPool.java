package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Overlapped;
import dev.sluice.calls.layout.Wsabuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool of blocks of native memory for overlapped calls, with the requests that have borrowed them. Each slab is as
 * large as all previous ones together, so the block at an address is found in two steps on average, however many there
 * are. Used only inside.
 */
final class OverlappedPool implements AutoCloseable {

    private static final int BLOCK_SIZE = 64;
    private static final int FIRST_SLAB = 64;

    private final Memory memory;
    /** The slabs; the latest one, which is the largest, comes first. */
    private final ArrayList<Slab> slabs = new ArrayList<>();
    /** The first free block; null if there is none. Linked, because the end of a call must not need memory. */
    private @Nullable Block first;
    private @Nullable Block last;

    private record Slab(MemoryBlock memory, Block[] blocks) {

        @Nullable Block at(long address) {
            long distance = address - memory.address();
            return distance >= 0 && distance < (long) blocks.length * BLOCK_SIZE
                    ? blocks[(int) (distance / BLOCK_SIZE)]
                    : null;
        }
    }

    /** The structures of one call. */
    static final class Block {

        private static final int BUFFER = Overlapped.SIZE;
        private static final int TRANSFERRED = BUFFER + Wsabuf.SIZE;
        private static final int FLAGS = TRANSFERRED + Integer.BYTES;

        private final ByteBuffer memory;
        private final int at;
        private final long address;
        private @Nullable OverlappedRequest<?> borrower;
        private @Nullable Block nextFree;

        private Block(MemoryBlock slab, int at) {
            this.memory = slab.buffer();
            this.at = at;
            this.address = slab.address() + at;
        }

        @Nullable OverlappedRequest<?> borrower() {
            return borrower;
        }

        /** Prepares the block for the next call. */
        void clear(long position) {
            Overlapped.set(memory, at, position, 0);
            memory.putInt(at + TRANSFERRED, 0);
            memory.putInt(at + FLAGS, 0);
        }

        /** {@return the address of the {@code OVERLAPPED}} */
        long address() {
            return address;
        }

        /** {@return the {@code NTSTATUS} of the call, once it is over} */
        int status() {
            return Overlapped.status(memory, at);
        }

        /** {@return the address of a vector of one element, which this call sets} */
        long vector(long of, int length) {
            Wsabuf.set(memory, at + BUFFER, of, length);
            return address + BUFFER;
        }

        /** {@return the address at which a call that completes immediately stores the number of bytes moved} */
        long transferredAddress() {
            return address + TRANSFERRED;
        }

        long transferred() {
            return memory.getInt(at + TRANSFERRED) & 0xffffffffL;
        }

        /** {@return the number of bytes moved that the {@code OVERLAPPED} of a completed call contains} */
        long transferredAsKept() {
            return Overlapped.transferred(memory, at);
        }

        /** {@return the address of the flags of a receive, which are 0} */
        long flagsAddress() {
            return address + FLAGS;
        }
    }

    OverlappedPool(Memory memory) {
        this.memory = memory;
    }

    Block take(OverlappedRequest<?> borrower) {
        if (first == null) {
            grow();
        }
        Block block = first;
        assert block != null;
        first = block.nextFree;
        block.nextFree = null;
        block.borrower = borrower;
        return block;
    }

    private void grow() {
        int count = FIRST_SLAB << Math.max(0, slabs.size() - 1);
        Block[] blocks = new Block[count];
        MemoryBlock slab = memory.allocate(count * BLOCK_SIZE);
        boolean added = false;
        try {
            for (int i = 0; i < count; i++) {
                blocks[i] = new Block(slab, i * BLOCK_SIZE);
            }
            slabs.add(0, new Slab(slab, blocks));
            added = true;
        } finally {
            if (!added) {
                slab.close();
            }
        }
        for (Block block : blocks) {
            append(block);
        }
    }

    private void append(Block block) {
        if (first == null) {
            first = block;
        } else {
            assert last != null;
            last.nextFree = block;
        }
        last = block;
    }

    void release(Block block) {
        block.borrower = null;
        // Added at the head, because the block that was used last is in the processor's cache.
        if (first == null) {
            last = block;
        }
        block.nextFree = first;
        first = block;
    }

    /**
     * Releases the block of a call that has failed immediately. Windows queues no packet for it, but Wine does for
     * datagram sockets, so the block is added at the end: the packet must not find another operation.
     */
    void releaseAfterFailure(Block block) {
        block.borrower = null;
        append(block);
    }

    /** {@return the block at the address that a packet contains} */
    Block at(long address) {
        for (int i = 0; i < slabs.size(); i++) {
            Block block = slabs.get(i).at(address);
            if (block != null) {
                return block;
            }
        }
        throw new IllegalStateException("completion packet for an unknown OVERLAPPED: 0x" + Long.toHexString(address));
    }

    @Override
    public void close() {
        List<Slab> all = List.copyOf(slabs);
        all.forEach(slab -> slab.memory().close());
    }
}

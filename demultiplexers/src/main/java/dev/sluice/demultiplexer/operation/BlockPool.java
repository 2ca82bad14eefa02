package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** A pool of blocks of native memory of one size. Used only inside. */
final class BlockPool implements AutoCloseable {

    /**
     * A block.
     *
     * @param memory  the memory that the block is a part of
     * @param at      the offset of the block in that memory
     * @param address the address of the block
     * @param own     the memory of a block that is larger than those of the pool; otherwise null
     */
    record Block(ByteBuffer memory, int at, long address, @Nullable MemoryBlock own) {
    }

    private final Memory memory;
    private final int blockSize;
    private final int blocksPerSlab;
    // With an explicit capacity: without one, ensureCapacity does not allocate space for the first ten elements.
    private final ArrayList<MemoryBlock> slabs = new ArrayList<>(1);
    private final ArrayList<Block> free = new ArrayList<>(1);

    BlockPool(Memory memory, int blockSize, int blocksPerSlab) {
        this.memory = memory;
        this.blockSize = blockSize;
        this.blocksPerSlab = blocksPerSlab;
    }

    Block take() {
        if (free.isEmpty()) {
            // All allocations come first, so that a block can be released without memory.
            slabs.ensureCapacity(slabs.size() + 1);
            free.ensureCapacity((slabs.size() + 1) * blocksPerSlab);
            MemoryBlock slab = memory.allocate(blockSize * blocksPerSlab);
            slabs.add(slab);
            for (int at = 0; at < blockSize * blocksPerSlab; at += blockSize) {
                free.add(new Block(slab.buffer(), at, slab.address() + at, null));
            }
        }
        return free.remove(free.size() - 1);
    }

    /** {@return a block of at least the given number of bytes} */
    Block take(int bytes) {
        if (bytes <= blockSize) {
            return take();
        }
        MemoryBlock own = memory.allocate(bytes);
        try {
            return new Block(own.buffer(), 0, own.address(), own);
        } catch (Throwable e) {
            own.close();
            throw e;
        }
    }

    void release(Block block) {
        if (block.own == null) {
            free.add(block);
        } else {
            block.own.close();
        }
    }

    @Override
    public void close() {
        slabs.forEach(MemoryBlock::close);
        slabs.clear();
        free.clear();
    }
}

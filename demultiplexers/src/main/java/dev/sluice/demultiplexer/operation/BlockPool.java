package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;

/** Blocks of native memory of one size, lent to operations. Used only inside. */
final class BlockPool implements AutoCloseable {

    /**
     * A block.
     *
     * @param memory  the memory that it is a part of
     * @param at      where in it the block begins
     * @param address of the block
     * @param own     the memory if it is too long for those of the pool; otherwise null
     */
    record Block(ByteBuffer memory, int at, long address, MemoryBlock own) {
    }

    private final Memory memory;
    private final int blockSize;
    private final int blocksPerSlab;
    // Of a capacity that is given: without one, ensureCapacity reserves no places for the first ten elements.
    private final ArrayList<MemoryBlock> slabs = new ArrayList<>(1);
    private final ArrayList<Block> free = new ArrayList<>(1);

    BlockPool(Memory memory, int blockSize, int blocksPerSlab) {
        this.memory = memory;
        this.blockSize = blockSize;
        this.blocksPerSlab = blocksPerSlab;
    }

    Block take() {
        if (free.isEmpty()) {
            // All that may fail for lack of memory comes first; a block can be released without any.
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

    /** {@return a block of at least the given number of bytes, which may be larger than the others} */
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

    void giveBack(Block block) {
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

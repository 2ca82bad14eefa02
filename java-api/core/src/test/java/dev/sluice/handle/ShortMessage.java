package dev.sluice.handle;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Msghdr;

/** A {@code struct msghdr} shortened in place to a number of bytes, and restored by the close. */
final class ShortMessage implements AutoCloseable {

    private final MemoryBlock block;
    private final ShortVector vector;
    private final int elements;

    ShortMessage(Memory memory, long address, int bytes) {
        block = memory.wrap(address, Msghdr.SIZE, () -> { });
        elements = Msghdr.iovLength(block.buffer(), 0);
        vector = new ShortVector(memory, block.buffer().getLong(Msghdr.IOV), elements, bytes);
        Msghdr.iovLength(block.buffer(), 0, vector.count());
    }

    long address() {
        return block.address();
    }

    @Override
    public void close() {
        Msghdr.iovLength(block.buffer(), 0, elements);
        vector.close();
        block.close();
    }
}

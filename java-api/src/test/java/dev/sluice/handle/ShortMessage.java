package dev.sluice.handle;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Msghdr;

/** A {@code struct msghdr} cut down in place to a number of bytes, and whole again after the close. */
final class ShortMessage implements AutoCloseable {

    private final MemoryBlock block;
    private final ShortVector vector;
    private final long elements;

    ShortMessage(Memory memory, long address, int bytes) {
        block = memory.wrap(address, Msghdr.SIZE, () -> { });
        elements = block.buffer().getLong(Msghdr.IOVLEN);
        vector = new ShortVector(memory, block.buffer().getLong(Msghdr.IOV), (int) elements, bytes);
        block.buffer().putLong(Msghdr.IOVLEN, vector.count());
    }

    long address() {
        return block.address();
    }

    @Override
    public void close() {
        block.buffer().putLong(Msghdr.IOVLEN, elements);
        vector.close();
        block.close();
    }
}

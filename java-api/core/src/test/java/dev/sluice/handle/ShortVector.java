package dev.sluice.handle;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Iovec;
import java.nio.ByteBuffer;

/** A vector of ranges shortened in place to a number of bytes, and restored by the close. */
final class ShortVector implements AutoCloseable {

    private final MemoryBlock block;
    private final int count;
    private final int at;
    private final long length;

    ShortVector(Memory memory, long address, int elements, int bytes) {
        block = memory.wrap(address, elements * Iovec.SIZE, () -> { });
        ByteBuffer vector = block.buffer();
        int last = 0;
        long left = bytes;
        while (last < elements - 1 && vector.getLong(last * Iovec.SIZE + Iovec.LEN) < left) {
            left -= vector.getLong(last++ * Iovec.SIZE + Iovec.LEN);
        }
        count = last + 1;
        at = last * Iovec.SIZE + Iovec.LEN;
        length = vector.getLong(at);
        vector.putLong(at, Math.min(length, left));
    }

    int count() {
        return count;
    }

    @Override
    public void close() {
        block.buffer().putLong(at, length);
        block.close();
    }
}

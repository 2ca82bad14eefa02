package dev.sluice.samples.io;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Blocks of memory, all of one size, with a count of users; the creator is the first one. When the last user has
 * released them, the blocks are returned. May be used by any thread; the users coordinate their writes.
 */
public final class CountedMemory {

    private final ByteBuffer[] blocks;
    private final Consumer<ByteBuffer[]> unused;
    private final AtomicInteger users = new AtomicInteger(1);

    /**
     * Takes blocks.
     *
     * @param blocks at least one, all of the same capacity; belong to this object
     * @param unused gets them back when the last user has left, in whichever thread
     */
    public CountedMemory(ByteBuffer[] blocks, Consumer<ByteBuffer[]> unused) {
        this.blocks = blocks;
        this.unused = unused;
    }

    /** {@return the number of blocks} */
    public int count() {
        return blocks.length;
    }

    /**
     * A view of a block, to write to.
     *
     * @param index from 0 to {@link #count()} - 1
     * @return all of it, for a user who is alone with it
     */
    public ByteBuffer block(int index) {
        return blocks[index].duplicate().clear();
    }

    /**
     * A view of what it has.
     *
     * @param from where it begins, in octets
     * @param maximum how many octets at most, at least 1
     * @return as many as lie in one block
     */
    public ByteBuffer octets(long from, long maximum) {
        int size = blocks[0].capacity();
        int start = (int) (from % size);
        ByteBuffer block = blocks[(int) (from / size)].duplicate();
        return block.limit((int) Math.min(size, start + maximum)).position(start);
    }

    /** {@return the number of users} */
    public int users() {
        return users.get();
    }

    /**
     * Becomes one more user.
     *
     * @return false if the last user has left already
     */
    public boolean retain() {
        int count = users.get();
        while (count > 0) {
            if (users.compareAndSet(count, count + 1)) {
                return true;
            }
            count = users.get();
        }
        return false;
    }

    /**
     * Leaves.
     *
     * @throws IllegalStateException if there is no user left
     */
    public void release() {
        int left = users.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("the memory has already been released by all users");
        }
        if (left == 0) {
            unused.accept(blocks);
        }
    }
}

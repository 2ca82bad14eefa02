package dev.sluice.samples.io;

import java.nio.ByteBuffer;

/** Pipelined octets, copied because the loop cannot keep the buffers that they were received in. */
final class Backlog {

    /** The number of octets that every peer may pipeline. */
    static final int SMALL = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final BacklogMemory memory;
    private ByteBuffer octets = NOTHING;

    Backlog(BacklogMemory memory) {
        this.memory = memory;
    }

    /** {@return the octets; to be taken from its position on} */
    ByteBuffer octets() {
        return octets;
    }

    /**
     * Takes all octets of a buffer.
     *
     * @throws PipelineLimitException if there are many, and all backlogs together take too much
     */
    void append(ByteBuffer more) throws PipelineLimitException {
        int size = octets.remaining() + more.remaining();
        if (size > octets.capacity()) {
            grow(Math.max(size, 2 * octets.capacity()));
        } else {
            octets.compact();
        }
        octets.put(more).flip();
    }

    private void grow(int capacity) throws PipelineLimitException {
        if (capacity > SMALL && memory.isTaken()) {
            throw new PipelineLimitException("pipelined more than " + octets.capacity()
                    + " bytes; the limit for all connections is " + memory.maximum());
        }
        ByteBuffer larger = ByteBuffer.allocate(capacity).put(octets);
        memory.take(capacity - octets.capacity());
        octets = larger;
    }

    /** Releases the space of octets that have been taken. */
    void trim() {
        if (!octets.hasRemaining() && octets.capacity() > SMALL) {
            clear();
        }
    }

    /** Drops all octets. */
    void clear() {
        memory.release(octets.capacity());
        octets = NOTHING;
    }
}

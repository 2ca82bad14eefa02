package dev.sluice.samples.io;

import java.nio.ByteBuffer;

/** Octets that have come before their turn, and of which the loop cannot keep the buffers that they came in. */
final class Backlog {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int WORTH_KEEPING = 16 * 1024;

    private ByteBuffer octets = NOTHING;

    /** {@return the octets; to be taken from its position on} */
    ByteBuffer octets() {
        return octets;
    }

    /** Takes all octets of a buffer. */
    void append(ByteBuffer more) {
        int size = octets.remaining() + more.remaining();
        if (size > octets.capacity()) {
            octets = ByteBuffer.allocate(Math.max(size, 2 * octets.capacity())).put(octets);
        } else {
            octets.compact();
        }
        octets.put(more).flip();
    }

    /** Some octets have been taken. */
    void trim() {
        if (!octets.hasRemaining() && octets.capacity() > WORTH_KEEPING) {
            octets = NOTHING;
        }
    }
}

package dev.sluice.samples.logging;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The kinds of buffers a chunk can come in. */
enum ChunkKind {

    HEAP {
        @Override
        ByteBuffer of(byte[] octets) {
            return ByteBuffer.wrap(octets);
        }
    },

    /** Position, limit and array offset differ from the array's bounds; what surrounds the chunk would be noticed. */
    SLICE {
        @Override
        ByteBuffer of(byte[] octets) {
            byte[] around = new byte[octets.length + 9];
            Arrays.fill(around, (byte) '!');
            System.arraycopy(octets, 0, around, 5, octets.length);
            return ByteBuffer.wrap(around, 2, octets.length + 5).slice().position(3).limit(3 + octets.length);
        }
    },

    DIRECT {
        @Override
        ByteBuffer of(byte[] octets) {
            return ByteBuffer.allocateDirect(octets.length).put(octets).flip();
        }
    },

    READ_ONLY {
        @Override
        ByteBuffer of(byte[] octets) {
            return ByteBuffer.wrap(octets).asReadOnlyBuffer();
        }
    };

    abstract ByteBuffer of(byte[] octets);
}

package dev.sluice.samples.io;

import dev.sluice.calls.Bindings;
import java.nio.ByteBuffer;

/**
 * Holds back messages that are immediately followed by another one: replies to requests that have arrived together are
 * sent together. Like {@code TCP_CORK}, but with one call that sends all of them. For one thread at a time.
 */
final class Cork {

    /** What one connection may hold back, in octets: what its peer does not read stays in memory. */
    static final int MAX_BYTES = 32 * 1024;

    /** Filled up to its position, or sent up to it; null if nothing is held back. */
    private ByteBuffer held;
    private boolean isLeaving;

    boolean isEmpty() {
        return held == null;
    }

    /** {@return whether what is left of this part of a message can be held back as well} */
    boolean hasSpaceFor(Transmission transmission) {
        return !isLeaving && transmission.fits(held == null ? MAX_BYTES : held.remaining());
    }

    /** {@return where to hold something back, behind what there is; the memory is used only if there is nothing yet} */
    ByteBuffer fill(ByteBuffer memory) {
        if (held == null) {
            held = memory.clear().limit(MAX_BYTES);
        }
        return held;
    }

    /** {@return the number of octets that have been read into what is to be filled, from this position on} */
    int read(int start) {
        held.limit(MAX_BYTES);
        return held.position() - start;
    }

    /** {@return what is left to send; nothing more is held back until all of it has been sent} */
    ByteBuffer leave() {
        if (!isLeaving) {
            isLeaving = true;
            held.flip();
        }
        return held;
    }

    /** Releases the given memory for another use: what is held in it moves to memory of its own. */
    void vacate(ByteBuffer memory) {
        if (held == memory) {
            ByteBuffer rest = leave();
            held = Bindings.current().memory().allocateBuffer(rest.remaining()).put(rest).flip();
        }
    }

    /** {@return the memory that was used: all of it has been sent, or never will be} */
    ByteBuffer empty() {
        ByteBuffer memory = held;
        held = null;
        isLeaving = false;
        return memory;
    }
}

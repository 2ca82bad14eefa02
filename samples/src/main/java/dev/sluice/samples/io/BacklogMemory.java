package dev.sluice.samples.io;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the backlogs of a server take together: a small part of the heap, however many peers send ahead. For any thread.
 */
final class BacklogMemory {

    private static final int PART_OF_HEAP = 8;

    private final long most = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
    private final AtomicLong taken = new AtomicLong();

    /**
     * Takes more of it, even if that is too much.
     *
     * @param octets how much
     * @return whether it is not too much
     */
    boolean take(int octets) {
        return taken.addAndGet(octets) <= most;
    }

    void giveBack(int octets) {
        taken.addAndGet(-octets);
    }

    /** {@return how much of it there is, in octets} */
    long most() {
        return most;
    }
}

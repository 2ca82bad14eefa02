package dev.sluice.samples.io;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the backlogs of a server take together: a small part of the heap, however many peers send ahead. For any thread.
 */
final class BacklogMemory {

    private static final int PART_OF_HEAP = 8;

    private final long most = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
    private final AtomicLong taken = new AtomicLong();

    void take(int octets) {
        taken.addAndGet(octets);
    }

    void giveBack(int octets) {
        taken.addAndGet(-octets);
    }

    /** {@return whether all of it is taken} */
    boolean isTaken() {
        return taken.get() >= most;
    }

    /** {@return how much of it there is, in octets} */
    long most() {
        return most;
    }
}

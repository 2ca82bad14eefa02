package dev.sluice.samples.io;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the memory of all backlogs of a server to a small part of the heap. For any thread. */
final class BacklogMemory {

    private static final int PART_OF_HEAP = 8;

    private final long maximum = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
    private final AtomicLong taken = new AtomicLong();

    void take(int octets) {
        taken.addAndGet(octets);
    }

    void release(int octets) {
        taken.addAndGet(-octets);
    }

    /** {@return whether all of it is taken} */
    boolean isTaken() {
        return taken.get() >= maximum;
    }

    /** {@return the limit, in octets} */
    long maximum() {
        return maximum;
    }
}

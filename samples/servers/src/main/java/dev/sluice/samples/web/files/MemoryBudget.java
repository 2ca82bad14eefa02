package dev.sluice.samples.web.files;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the total memory for mapped files. May be used by any thread. */
final class MemoryBudget {

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Takes the given amount if that much is left; returns whether it was. */
    boolean take(long octets) {
        long before = used.get();
        while (octets <= limit - before) {
            if (used.compareAndSet(before, before + octets)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    void release(long octets) {
        used.addAndGet(-octets);
    }

    long used() {
        return used.get();
    }
}

package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The native memory that the provided buffers of all demultiplexers use together: at most half of the memory that the
 * process may use, so that peers that flood it leave the rest. May be used by any thread.
 */
final class ProvidedMemory {

    /** The memory of the whole process. */
    static final ProvidedMemory CURRENT = new ProvidedMemory(MemoryBudget.CURRENT.max() / 2);

    private final long max;
    private final AtomicLong taken = new AtomicLong();

    /**
     * Creates an instance of which no memory is in use.
     *
     * @param max the maximum number of bytes
     */
    ProvidedMemory(long max) {
        this.max = max;
    }

    /**
     * Takes memory for buffers, as far as it is available.
     *
     * @param buffers the number of buffers
     * @param bytes   the size of a buffer in bytes
     * @return the number of buffers for which memory has been taken
     */
    int take(int buffers, int bytes) {
        while (true) {
            long before = taken.get();
            long count = Math.min(buffers, Math.max(0, max - before) / bytes);
            if (count == 0 || taken.compareAndSet(before, before + count * bytes)) {
                return (int) count;
            }
        }
    }

    /** Takes memory for buffers that are needed, even if that exceeds the maximum. */
    void takeBeyond(int buffers, int bytes) {
        taken.addAndGet((long) buffers * bytes);
    }

    /** Releases memory that was taken. */
    void release(long bytes) {
        taken.addAndGet(-bytes);
    }
}

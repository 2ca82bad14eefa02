package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The native memory that the provided buffers of all demultiplexers take together: half of what the process may have,
 * so that peers that flood it leave the rest to everything else. Open to any thread.
 */
final class ProvidedMemory {

    /** Of the whole process. */
    static final ProvidedMemory CURRENT = new ProvidedMemory(MemoryBudget.CURRENT.most() / 2);

    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /**
     * Creates a memory of which nothing is taken.
     *
     * @param most the maximum number of bytes
     */
    ProvidedMemory(long most) {
        this.most = most;
    }

    /**
     * Takes memory, as far as there is any left.
     *
     * @param buffers for how many buffers
     * @param bytes   of one buffer
     * @return for how many of them there was memory
     */
    int take(int buffers, int bytes) {
        while (true) {
            long before = taken.get();
            long count = Math.min(buffers, Math.max(0, most - before) / bytes);
            if (count == 0 || taken.compareAndSet(before, before + count * bytes)) {
                return (int) count;
            }
        }
    }

    /** Takes memory for buffers that there must be, even if more is taken then than there is. */
    void takeBeyond(int buffers, int bytes) {
        taken.addAndGet((long) buffers * bytes);
    }

    /** Gives back what was taken. */
    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }
}

package dev.sluice.mechanism.handleset;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;

/** A batch together with the memory that the system call fills in; each waiting thread has its own. */
public final class KernelReadyHandles extends CollectedHandles {

    private final MemoryBlock events;
    /** Whether the single place of this batch is left to the members that are always ready. */
    private boolean leftToOthers;
    private int room;

    KernelReadyHandles(Class<?> maker, int capacity, Memory memory, int bytes) {
        super(maker, capacity);
        this.events = memory.allocate(bytes);
    }

    /**
     * Divides the places between what the kernel finds ready and the members that are always ready, so that neither
     * keep out the others.
     *
     * @param shared whether there are such members
     * @return how many places the kernel may fill; 0 every other time if there is only one
     */
    int divide(boolean shared) {
        if (!shared) {
            room = capacity();
        } else if (capacity() > 1) {
            room = capacity() - 1;
        } else {
            leftToOthers = !leftToOthers;
            room = leftToOthers ? 0 : 1;
        }
        return room;
    }

    /** {@return how many handles the system call may report} */
    public int room() {
        return room;
    }

    /** {@return the memory} */
    public MemoryBlock events() {
        return events;
    }

    @Override
    public void close() {
        super.close();
        events.close();
    }
}

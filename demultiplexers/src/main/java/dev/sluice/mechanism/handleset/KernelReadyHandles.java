package dev.sluice.mechanism.handleset;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;

/** A batch together with the memory that the system call fills in; each waiting thread has its own. */
public final class KernelReadyHandles extends CollectedHandles {

    private final MemoryBlock events;

    KernelReadyHandles(Class<?> maker, int capacity, Memory memory, int bytes) {
        super(maker, capacity);
        this.events = memory.allocate(bytes);
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

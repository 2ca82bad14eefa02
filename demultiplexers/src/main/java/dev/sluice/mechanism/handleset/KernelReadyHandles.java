package dev.sluice.mechanism.handleset;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.ReadyHandles;

/** A batch with the memory that the system call fills in: one of each for every waiting thread. */
public final class KernelReadyHandles extends ReadyHandles {

    private final Class<?> maker;
    private final MemoryBlock events;

    KernelReadyHandles(Class<?> maker, int capacity, Memory memory, int bytes) {
        super(capacity);
        this.maker = maker;
        this.events = memory.allocate(bytes);
    }

    /** {@return whether demultiplexers of this class make such batches} */
    boolean isOf(Class<?> demultiplexer) {
        return maker == demultiplexer;
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

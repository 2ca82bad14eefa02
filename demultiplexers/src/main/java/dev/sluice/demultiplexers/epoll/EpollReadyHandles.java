package dev.sluice.demultiplexers.epoll;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.EpollEvent;
import dev.sluice.demultiplexer.ReadyHandles;

/** A batch with the memory that {@code epoll_wait} fills in: one of each for every waiting thread. */
final class EpollReadyHandles extends ReadyHandles {

    private final MemoryBlock events;

    EpollReadyHandles(Memory memory, int capacity) {
        super(capacity);
        // One more than asked for, since the wake-up descriptor takes part in the wait.
        events = memory.allocate(Math.multiplyExact(Math.addExact(capacity, 1), EpollEvent.SIZE));
    }

    MemoryBlock events() {
        return events;
    }

    @Override
    public void close() {
        super.close();
        events.close();
    }
}

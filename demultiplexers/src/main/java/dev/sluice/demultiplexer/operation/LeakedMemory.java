package dev.sluice.demultiplexer.operation;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that the system may write to at any time, because operations on it could not be ended. It is never freed,
 * because the system would then write to memory that has been allocated again. May be used by any thread.
 */
final class LeakedMemory {

    private static final Logger LOG = LoggerFactory.getLogger(LeakedMemory.class);

    private static final Queue<Object> LEAKED = new ConcurrentLinkedQueue<>();

    private LeakedMemory() {
    }

    /**
     * Keeps memory reachable forever, so that it is never freed.
     *
     * @param processor  the processor whose pools are part of that memory
     * @param operations the number of operations that could not be ended
     * @param memory     the buffers of programs, and memory of operations that is not in a pool
     */
    static void add(OperationProcessor processor, int operations, Collection<Object> memory) {
        LEAKED.add(processor);
        LEAKED.addAll(memory);
        LOG.error("{} could not end {} operations: their buffers and internal memory are leaked, because the system may"
                + " still write to them; do not reuse these buffers", processor, operations);
    }
}

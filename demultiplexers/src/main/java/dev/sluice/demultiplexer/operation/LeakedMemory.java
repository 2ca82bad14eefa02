package dev.sluice.demultiplexer.operation;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that the system may write to at any time, since what it does there cannot be stopped. It is never freed,
 * because the system would then write to memory that has been allocated again. May be used by any thread.
 */
final class LeakedMemory {

    private static final Logger LOG = LoggerFactory.getLogger(LeakedMemory.class);

    private static final Queue<Object> KEPT = new ConcurrentLinkedQueue<>();

    private LeakedMemory() {
    }

    /**
     * Keeps memory from being freed, even by the garbage collector.
     *
     * @param processor  the processor whose pools are part of that memory
     * @param operations the number of operations that could not be ended
     * @param memory     the memory of users and operations
     */
    static void keep(OperationProcessor processor, int operations, Collection<Object> memory) {
        KEPT.add(processor);
        KEPT.addAll(memory);
        LOG.error("{} could not end {} operations: their buffers and internal memory are leaked, because the system may"
                + " still write to them; do not reuse these buffers", processor, operations);
    }
}

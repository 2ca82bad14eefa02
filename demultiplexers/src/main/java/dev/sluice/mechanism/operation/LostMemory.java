package dev.sluice.mechanism.operation;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that the system may write to at any time, since nobody can end what it does there. It is never freed, because
 * it would be somebody else's by then. May be used by any thread.
 */
final class LostMemory {

    private static final Logger LOG = LoggerFactory.getLogger(LostMemory.class);

    private static final Queue<Object> KEPT = new ConcurrentLinkedQueue<>();

    private LostMemory() {
    }

    /**
     * Keeps memory from being freed, also by the garbage collector.
     *
     * @param processor  whose pools are among it
     * @param operations how many could not be ended
     * @param memory     what the users and the operations have brought
     */
    static void keep(OperationProcessor processor, int operations, Collection<Object> memory) {
        KEPT.add(processor);
        KEPT.addAll(memory);
        LOG.error("{} could not end {} operations: their buffers and its own memory are lost, as the system may still"
                + " write to them; do not use these buffers again", processor, operations);
    }
}

package dev.sluice.samples.io;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.samples.server.Connections;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The shared state of one reactor's conversations, which any thread may run. There are as many scratch objects as
 * quanta have run concurrently: one, if the reactor's own thread runs them.
 */
final class ConversationLoop extends ProtocolLoop {

    /** Maximum number of scratch objects kept for further quanta; more are left to the garbage collector. */
    private static final int MAX_SPARE = 64;

    private final Deque<IterationScratch> spare = new ArrayDeque<>();

    ConversationLoop(Protocol protocol, AccessLog log, FileIo fileIo, Connections connections, EventLoop loop) {
        super(protocol, log, fileIo, connections, loop);
    }

    /** {@return one that no other thread uses; to be returned} */
    IterationScratch takeScratch() {
        synchronized (spare) {
            if (!spare.isEmpty()) {
                return spare.pop();
            }
        }
        return new IterationScratch();
    }

    void release(IterationScratch scratch) {
        synchronized (spare) {
            if (spare.size() < MAX_SPARE) {
                spare.push(scratch);
            }
        }
    }
}

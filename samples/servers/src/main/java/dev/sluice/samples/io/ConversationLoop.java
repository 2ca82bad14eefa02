package dev.sluice.samples.io;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.samples.server.Connections;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What the conversations of one reactor share, whichever threads take their turns. There are as many desks as turns
 * have been taken at once: one, where the reactor's own thread takes them.
 */
final class ConversationLoop extends ProtocolLoop {

    /** Desks kept for further turns; what more there are is left to the collector. */
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

    void giveBack(IterationScratch scratch) {
        synchronized (spare) {
            if (spare.size() < MAX_SPARE) {
                spare.push(scratch);
            }
        }
    }
}

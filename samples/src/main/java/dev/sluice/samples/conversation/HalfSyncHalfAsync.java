package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.samples.server.Connections;

/**
 * The "half-sync/half-reactive" thread pool that the Leader/Followers paper compares itself with: a network I/O thread,
 * which is the reactor's, a bounded queue, and workers. What the I/O thread itself does with a connection that is ready
 * is up to the conversation, see {@link Conversation#prepare}; the paper's receives the request.
 *
 * <p>A connection in the queue is deactivated, so that no two elements of the queue are of the same connection:
 * responses are in the order of their requests, and a conversation needs no lock. When the queue is full the I/O thread
 * waits.
 */
public final class HalfSyncHalfAsync implements ConnectionThreads {

    private final Workers workers;

    /**
     * Makes the synchronous half.
     *
     * @param threads how many workers
     */
    public HalfSyncHalfAsync(int threads) {
        workers = new Workers(threads);
    }

    @Override
    public ServiceHandler handler(ConversationFactory conversations, Connections connections) {
        return new ReadyConnection(conversations, connections, workers);
    }

    /** {@return how many workers there are} */
    public int threads() {
        return workers.count();
    }

    /** {@return how many connections wait for a worker} */
    public int queued() {
        return workers.queued();
    }

    @Override
    public void close() {
        workers.close();
    }
}

package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.ResizablePool;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The "half-sync/half-reactive" thread pool that the Leader/Followers paper compares itself with: a network I/O thread,
 * which is the reactor's, a bounded queue, and workers. What the I/O thread itself does with a connection that is ready
 * is up to the conversation, see {@link Conversation#prepare}; the paper's receives the request.
 *
 * <p>A connection in the queue is deactivated, so that no two elements of the queue are of the same connection:
 * responses are in the order of their requests, and a conversation needs no lock. When the queue is full the I/O thread
 * waits.
 */
public final class HalfSyncHalfAsync implements ServiceHandlers, ResizablePool {

    private final Workers workers;

    /**
     * Creates the synchronous half.
     *
     * @param threads the number of worker threads
     */
    public HalfSyncHalfAsync(int threads) {
        workers = new Workers(threads);
    }

    @Override
    public ServiceHandler handler(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        return new HandedOverConnection(conversations, open, workers);
    }

    @Override
    public int threads() {
        return workers.count();
    }

    @Override
    public int busy() {
        return workers.active() + workers.queued();
    }

    @Override
    public void resize(int count) {
        workers.resize(count);
    }

    @Override
    public Map<String, Object> states(int connections) {
        Map<String, Object> states = new LinkedHashMap<>();
        states.put("pool_threads", workers.count());
        states.put("pool_queued", workers.queued());
        return states;
    }

    @Override
    public void close() {
        workers.close();
    }
}

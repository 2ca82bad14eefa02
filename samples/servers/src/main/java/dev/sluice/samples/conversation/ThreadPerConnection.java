package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.VirtualThreads;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

/** Each connection has a thread of its own from its beginning to its end, which waits for it. */
public final class ThreadPerConnection implements ServiceHandlers {

    /** Creates a connection with its thread. */
    private interface Waiting {
        ThreadedConnection make(ConversationFactory conversations, Function<Dispatcher, Connections> open,
                                ThreadPerConnection threads);
    }

    private final ExecutorService threads;
    private final Waiting waiting;
    private final Set<ThreadedConnection> running = ConcurrentHashMap.newKeySet();

    private ThreadPerConnection(ExecutorService threads, Waiting waiting) {
        this.threads = threads;
        this.waiting = waiting;
    }

    /** {@return platform threads, which wait in the kernel} */
    public static ThreadPerConnection ofPlatformThreads() {
        return new ThreadPerConnection(DaemonThreads.oneForEach("connection"), KernelConnection::new);
    }

    /**
     * {@return virtual threads, which wait in Java until the reactor has found their connection ready: one that waited
     * in the kernel would block its carrier}
     *
     * @throws UnsupportedOperationException if this Java has none
     */
    public static ThreadPerConnection ofVirtualThreads() {
        return new ThreadPerConnection(VirtualThreads.newExecutor(), ParkedConnection::new);
    }

    @Override
    public ServiceHandler handler(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        return waiting.make(conversations, open, this);
    }

    void start(ThreadedConnection connection) {
        running.add(connection);
        try {
            threads.execute(() -> {
                try {
                    connection.run();
                } finally {
                    running.remove(connection);
                }
            });
        } catch (Throwable e) {
            running.remove(connection);
            throw e;
        }
    }

    @Override
    public Map<String, Object> states(int connections) {
        return Map.of("pool_threads", connections);
    }

    @Override
    public void close() {
        running.forEach(connection -> connection.peer().close());
        DaemonThreads.end(threads);
    }
}

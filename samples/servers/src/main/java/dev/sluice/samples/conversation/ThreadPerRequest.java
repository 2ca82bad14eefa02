package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.VirtualThreads;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Each request gets a thread of its own, which ends when it is answered. A reactor waits for all connections, including
 * those of clients that are slow to take their replies, which another thread continues to send.
 */
public final class ThreadPerRequest implements ServiceHandlers {

    private final ExecutorService threads;
    private final AtomicInteger running = new AtomicInteger();

    private ThreadPerRequest(ExecutorService threads) {
        this.threads = threads;
    }

    /** {@return platform threads} */
    public static ThreadPerRequest ofPlatformThreads() {
        return new ThreadPerRequest(DaemonThreads.oneForEach("request"));
    }

    /**
     * {@return virtual threads}
     *
     * @throws UnsupportedOperationException if this Java has none
     */
    public static ThreadPerRequest ofVirtualThreads() {
        return new ThreadPerRequest(VirtualThreads.newExecutor());
    }

    @Override
    public ServiceHandler handler(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        return new HandedOverConnection(conversations, open, quantum -> threads.execute(() -> run(quantum)));
    }

    private void run(Runnable quantum) {
        running.incrementAndGet();
        try {
            quantum.run();
        } finally {
            running.decrementAndGet();
        }
    }

    @Override
    public Map<String, Object> states(int connections) {
        return Map.of("pool_threads", running.get());
    }

    @Override
    public void close() {
        DaemonThreads.end(threads);
    }
}

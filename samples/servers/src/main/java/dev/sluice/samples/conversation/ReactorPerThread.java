package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import java.util.Map;
import java.util.function.Function;

/** Uses the threads of the reactors: each takes the steps of its own connections. */
public final class ReactorPerThread implements ServiceHandlers {

    private final int threads;

    /**
     * Creates a thread.
     *
     * @param threads the number of reactors
     */
    public ReactorPerThread(int threads) {
        this.threads = threads;
    }

    @Override
    public ServiceHandler handler(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        return new LoopConnection(conversations, open);
    }

    @Override
    public Map<String, Object> states(int connections) {
        return Map.of("pool_threads", threads);
    }
}

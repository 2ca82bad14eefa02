package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import java.util.Map;
import java.util.function.Function;

/** No threads but those of the reactors: each takes the steps of the connections that are its own. */
public final class ReactorPerThread implements ServiceHandlers {

    private final int threads;

    /**
     * Makes it.
     *
     * @param threads how many reactors there are
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

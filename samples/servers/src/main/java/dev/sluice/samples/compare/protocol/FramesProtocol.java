package dev.sluice.samples.compare.protocol;

import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConnectionThreads;
import dev.sluice.samples.conversation.ConversationFactory;
import dev.sluice.samples.conversation.PoolDesign;
import dev.sluice.samples.conversation.ServedProtocol;
import dev.sluice.samples.server.EventLoopServer;
import java.util.function.Consumer;

/** Frames, under every concurrency strategy. */
public final class FramesProtocol implements ServedProtocol {

    private final RequestHandler service;
    private final PoolDesign pool;

    /**
     * Creates a protocol.
     *
     * @param service makes the responses
     * @param pool    what a leader/followers pool is made like that serves
     */
    public FramesProtocol(RequestHandler service, PoolDesign pool) {
        this.service = service;
        this.pool = pool;
    }

    @Override
    public String name() {
        return "compare";
    }

    @Override
    public ConversationFactory conversations(EventLoopServer<Reactor> server, ConnectionThreads threads) {
        RequestHandler handler = pool.promotion() == Promotion.BY_HANDLER ? new PromotingHandler(service, threads)
                : service;
        return (stream, dispatcher) -> new FramedConversation(stream, handler);
    }

    @Override
    public Consumer<AsyncStream> services(EventLoopServer<Proactor> server) {
        return stream -> new ProactiveSession(stream, service).open();
    }

    @Override
    public PoolDesign pool() {
        return pool;
    }
}

package dev.sluice.samples.echo;

import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConnectionThreads;
import dev.sluice.samples.conversation.ConversationFactory;
import dev.sluice.samples.conversation.ServedProtocol;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.EventLoopServer;
import java.util.IdentityHashMap;
import java.util.Map;

/** The echo protocol (RFC 862), for all concurrency strategies that run conversations. */
final class EchoProtocol implements ServedProtocol {

    private final ConnectionLimit limit;

    EchoProtocol(ConnectionLimit limit) {
        this.limit = limit;
    }

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public ConnectionLimit limit() {
        return limit;
    }

    @Override
    public ConversationFactory conversations(EventLoopServer<Reactor> server, ConnectionThreads threads) {
        Map<Reactor, SharedBuffers> buffers = new IdentityHashMap<>();
        server.loops().forEach(reactor -> buffers.put(reactor, new SharedBuffers()));
        return (stream, reactor) -> new EchoConversation(stream, buffers.get(reactor));
    }
}

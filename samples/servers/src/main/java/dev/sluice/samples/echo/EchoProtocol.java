package dev.sluice.samples.echo;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConnectionThreads;
import dev.sluice.samples.conversation.ConversationFactory;
import dev.sluice.samples.conversation.ServedProtocol;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ServerOptions;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;

/** RFC 862, whatever comes is sent back: for all concurrency strategies that take steps of conversations. */
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
    public SocketAcceptor listen(ServerOptions options) throws IOException {
        SocketAcceptor socket = SocketAcceptor.open(options.address());
        try {
            // Inherited by the connections.
            socket.setOption(NativeSocketOptions.TCP_NODELAY, true);
            return socket;
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public ConversationFactory conversations(EventLoopServer<Reactor> server, ConnectionThreads threads) {
        Map<Reactor, SharedBuffers> buffers = new IdentityHashMap<>();
        server.loops().forEach(reactor -> buffers.put(reactor, new SharedBuffers()));
        return (stream, reactor) -> new EchoConversation(stream, buffers.get(reactor));
    }
}

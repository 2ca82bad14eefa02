package dev.sluice.samples.io;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConnectionThreads;
import dev.sluice.samples.conversation.ConversationFactory;
import dev.sluice.samples.conversation.ServedProtocol;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ResizablePool;
import dev.sluice.samples.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** Serves a protocol by any concurrency strategy: creates the driver of each connection's protocol handler. */
final class StrategicProtocol implements ServedProtocol {

    private final Protocol protocol;
    private final AccessLog log;
    private final FileIo fileIo;
    private final SocketAcceptor socket;
    private final int backlog;
    private final ConnectionLimit limit;
    private final Consumer<ResizablePool> ready;

    /**
     * Serves a protocol.
     *
     * @param protocol is spoken
     * @param log      of the requests; null for none
     * @param fileIo   how files travel here; null if the protocol says
     * @param socket   where to listen; null to open one
     * @param backlog  of the one that is opened
     * @param limit    of the connections at all ports
     * @param ready    told before the first connection comes, with the threads that serve if they are such a pool, or
     *                 else null
     */
    StrategicProtocol(Protocol protocol, AccessLog log, FileIo fileIo, SocketAcceptor socket, int backlog,
            ConnectionLimit limit, Consumer<ResizablePool> ready) {
        this.protocol = protocol;
        this.log = log;
        this.fileIo = fileIo;
        this.socket = socket;
        this.backlog = backlog;
        this.limit = limit;
        this.ready = ready;
    }

    @Override
    public String name() {
        return protocol.name();
    }

    @Override
    public ConnectionLimit limit() {
        return limit;
    }

    @Override
    public SocketAcceptor listen(ServerOptions options) throws IOException {
        return socket == null ? options.listen(backlog) : socket;
    }

    @Override
    public ConversationFactory conversations(EventLoopServer<Reactor> server, ConnectionThreads threads) {
        Map<Reactor, ReactorConversations> all = each(server,
                reactor -> new ReactorConversations(protocol, log, fileIo, server.connections(reactor), reactor));
        ready.accept(threads instanceof ResizablePool pool ? pool : null);
        return (stream, reactor) -> all.get(reactor).begin(stream, reactor);
    }

    @Override
    public Consumer<AsyncStream> services(EventLoopServer<Proactor> server) {
        BacklogMemory backlogs = new BacklogMemory();
        Map<Proactor, ProactiveLoop> loops = each(server, proactor -> new ProactiveLoop(protocol, log, fileIo,
                server.connections(proactor), proactor, backlogs));
        ready.accept(server);
        return stream -> {
            try {
                new ProactiveHandler(loops.get(stream.proactor()), stream).open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private static <L extends EventLoop, T> Map<L, T> each(EventLoopServer<L> server, Function<L, T> made) {
        Map<L, T> all = new IdentityHashMap<>();
        for (L loop : server.loops()) {
            all.put(loop, made.apply(loop));
        }
        return all;
    }
}

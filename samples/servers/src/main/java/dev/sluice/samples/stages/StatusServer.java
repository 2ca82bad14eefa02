package dev.sluice.samples.stages;

import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.samples.conversation.ReactorPerThread;
import dev.sluice.samples.io.ReactorConversations;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.Connections;
import dev.sluice.stages.StageGraph;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows a graph of stages at a port of its own, as {@link StagesHandler} does, for a server that speaks no HTTP. One
 * thread serves all clients, independently of the threads of the stages. There is no authentication.
 */
public final class StatusServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);

    private static final int MAX_CONNECTIONS = 64;

    private final InetSocketAddress address;
    private final ReactorGroup loop;

    /**
     * Opens the port, and begins to answer.
     *
     * @param graph   to be shown, started or not; closing it is up to the caller
     * @param means   mean times that the program measures itself, in milliseconds, by the names to be shown
     * @param address the address to listen on; port 0 for any free one
     * @param failed  told if the thread fails, by the thread itself
     * @throws IOException if the system refuses
     */
    public StatusServer(StageGraph graph, Map<String, DoubleSupplier> means, InetSocketAddress address,
            Consumer<Throwable> failed) throws IOException {
        StatusProtocol protocol = new StatusProtocol(graph, means);
        loop = ReactorGroup.builder().loops(1).threadFactory(task -> new Thread(task, "status")).open();
        loop.onFailure(failed);
        try {
            this.address = listen(address, protocol, loop.loops().get(0));
        } catch (Throwable e) {
            loop.close();
            throw e;
        }
        loop.start();
        LOG.info("the stages are shown at http://{}:{}{}", host(this.address), this.address.getPort(),
                StagesHandler.PATH);
    }

    private static InetSocketAddress listen(InetSocketAddress address, StatusProtocol protocol, Reactor reactor)
            throws IOException {
        SocketAcceptor socket = SocketAcceptor.open(address);
        try {
            // Inherited by the connections.
            socket.setOption(NativeSocketOptions.TCP_NODELAY, true);
            InetSocketAddress bound = (InetSocketAddress) socket.localAddress();
            Connections connections = new Connections();
            ConnectionLimit limit = ConnectionLimit.of(MAX_CONNECTIONS, protocol.refusal());
            limit.count(connections::count);
            new ReactorPerThread(1).accept(socket, List.of(reactor), new ListenOptions(),
                    new ReactorConversations(protocol, connections, reactor).within(limit), dispatcher -> connections);
            return bound;
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    private static String host(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    /** {@return where it listens} */
    public InetSocketAddress address() {
        return address;
    }

    /** Ends it at once, with all of its connections. */
    @Override
    public void close() {
        loop.close();
    }
}

package dev.sluice.samples.web;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ProactiveAcceptor;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ReadyLine;
import dev.sluice.samples.server.ServerOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Which way octets move. */
public enum IoStrategy {
    /** Told by a Reactor when a socket is ready, and moves them itself. */
    REACTIVE(Mode.SYNCHRONOUS) {
        @Override
        void serve(WebService service, ServerOptions options, int threads) throws IOException, InterruptedException {
            try (EventLoopServer<Reactor> server = new EventLoopServer<>("web", threads,
                    options::openReactor);
                    SocketAcceptor socket = listen(options)) {
                Map<Reactor, ReactiveLoop> loops = new IdentityHashMap<>();
                for (Reactor reactor : server.loops()) {
                    loops.put(reactor, new ReactiveLoop(service, server.connections(reactor), reactor));
                }
                Reactor first = server.loops().get(0);
                new Acceptor(first, socket, server.loops(), () -> new ReactiveHandler(loops)).open();
                SocketAddress address = socket.localAddress();
                server.serve(List.of(socket),
                        () -> ReadyLine.print("web", address, first.demultiplexer().name()));
            }
        }
    },
    /** Has a Proactor's operations move them, and is told when that is done. */
    PROACTIVE(Mode.ASYNCHRONOUS) {
        @Override
        void serve(WebService service, ServerOptions options, int threads) throws IOException, InterruptedException {
            try (EventLoopServer<Proactor> server = new EventLoopServer<>("web", threads,
                    options::openProactor);
                    SocketAcceptor socket = listen(options)) {
                Map<Proactor, ProactiveLoop> loops = new IdentityHashMap<>();
                for (Proactor proactor : server.loops()) {
                    loops.put(proactor, new ProactiveLoop(service, server.connections(proactor), proactor));
                }
                Proactor first = server.loops().get(0);
                new ProactiveAcceptor(first, socket, server.loops(), (proactor, stream) ->
                        new ProactiveHandler(loops.get(proactor), stream).open()).open();
                SocketAddress address = socket.localAddress();
                server.serve(List.of(socket),
                        () -> ReadyLine.print("web", address, first.demultiplexer().name()));
            }
        }
    };

    private final Mode mode;

    IoStrategy(Mode mode) {
        this.mode = mode;
    }

    /** {@return what its demultiplexer reports} */
    Mode mode() {
        return mode;
    }

    /** Serves until the process is asked to stop. */
    abstract void serve(WebService service, ServerOptions options, int threads)
            throws IOException, InterruptedException;

    private static SocketAcceptor listen(ServerOptions options) throws IOException {
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
}

package dev.sluice.samples.echo;

import dev.sluice.connection.Distribution;
import dev.sluice.connection.ProactiveAcceptor;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.server.BoundedAcceptor;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The pattern that the server is made by. */
enum EchoPattern {
    /** Told when a socket is ready, and moves the bytes itself. */
    REACTOR(Mode.SYNCHRONOUS, ConcurrencyStrategy.REACTOR_PER_THREAD) {
        @Override
        void serve(ServerOptions options, int threads, ConnectionLimit limit)
                throws IOException, InterruptedException {
            try (EventLoopServer<Reactor> server = new EventLoopServer<>("echo", threads,
                    options::openReactor, options.newStopRequest());
                    SocketAcceptor socket = listen(options)) {
                Map<Reactor, EchoLoop> loops = new IdentityHashMap<>();
                for (Reactor reactor : server.loops()) {
                    loops.put(reactor, new EchoLoop(server.connections(reactor)));
                }
                Reactor first = server.loops().get(0);
                limit.count(server::connectionCount);
                new BoundedAcceptor(first, socket, server.loops(), limit, () -> new EchoHandler(loops)).open();
                server.serve(List.of(socket), () -> announce(options, socket, first.demultiplexer()));
            }
        }
    },
    /** Starts operations, and is notified when they are complete. */
    PROACTOR(Mode.ASYNCHRONOUS, ConcurrencyStrategy.PROACTOR_PER_THREAD) {
        @Override
        void serve(ServerOptions options, int threads, ConnectionLimit limit)
                throws IOException, InterruptedException {
            try (EventLoopServer<Proactor> server = new EventLoopServer<>("echo", threads,
                    options::openProactor, options.newStopRequest());
                    SocketAcceptor socket = listen(options)) {
                Map<Proactor, EchoBuffers> buffers = new IdentityHashMap<>();
                server.loops().forEach(proactor -> buffers.put(proactor, new EchoBuffers()));
                Proactor first = server.loops().get(0);
                limit.count(server::connectionCount);
                new ProactiveAcceptor(first, socket, server.loops(), Distribution.roundRobin(), (proactor, stream) -> {
                    if (limit.admits(stream)) {
                        new ProactiveEchoHandler(proactor, stream, server.connections(proactor),
                                buffers.get(proactor)).open();
                    } else {
                        stream.close();
                    }
                }).open();
                server.serve(List.of(socket), () -> announce(options, socket, first.demultiplexer()));
            }
        }
    };

    private final Mode mode;
    private final ConcurrencyStrategy usual;

    EchoPattern(Mode mode, ConcurrencyStrategy usual) {
        this.mode = mode;
        this.usual = usual;
    }

    /** {@return the concurrency strategy that it is made for; with any other, an {@link EchoProtocol} serves} */
    ConcurrencyStrategy usual() {
        return usual;
    }

    /** {@return the name on the command line} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return what its demultiplexer reports} */
    Mode mode() {
        return mode;
    }

    /** Serves until the process is asked to stop. */
    abstract void serve(ServerOptions options, int threads, ConnectionLimit limit)
            throws IOException, InterruptedException;

    static SocketAcceptor listen(ServerOptions options) throws IOException {
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

    private static void announce(ServerOptions options, SocketAcceptor socket, String demultiplexer) {
        try {
            options.announce("echo", socket.localAddress(), demultiplexer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.sluice.samples.echo;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.Connections;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Locale;

/** The pattern of the server. */
enum EchoPattern {
    /** Told when a socket is ready, and moves the bytes itself. */
    REACTOR(Mode.SYNCHRONOUS, ConcurrencyStrategy.REACTOR_PER_THREAD) {
        @Override
        void serve(ServerOptions options, int threads, ConnectionLimit limit, StopRequest stop)
                throws IOException, InterruptedException {
            try (ReactorGroup group = options.openReactors(NAME, threads)) {
                Acceptor acceptor = Acceptor.listen(group, options.address(), listening(limit, stop),
                        EchoHandler::new);
                String demultiplexer = group.loops().get(0).demultiplexer();
                SocketAddress address = acceptor.localAddress();
                stop.serve(group, () -> {
                    options.announce(NAME, address, demultiplexer);
                    limit.setFor(acceptor.connections());
                });
            }
        }
    },
    /** Starts operations, and is notified when they are complete. */
    PROACTOR(Mode.ASYNCHRONOUS, ConcurrencyStrategy.PROACTOR_PER_THREAD) {
        @Override
        void serve(ServerOptions options, int threads, ConnectionLimit limit, StopRequest stop)
                throws IOException, InterruptedException {
            try (ProactorGroup group = options.openProactors(NAME, threads)) {
                // Each buffer that comes is sent as it is.
                AsyncAcceptor acceptor = AsyncAcceptor.listen(group, options.address(), listening(limit, stop),
                        () -> AsyncStream::send);
                String demultiplexer = group.loops().get(0).demultiplexer();
                SocketAddress address = acceptor.localAddress();
                stop.serve(group, () -> {
                    options.announce(NAME, address, demultiplexer);
                    limit.setFor(acceptor.connections());
                });
            }
        }
    };

    private static final String NAME = "echo";

    private final Mode mode;
    private final ConcurrencyStrategy usual;

    EchoPattern(Mode mode, ConcurrencyStrategy usual) {
        this.mode = mode;
        this.usual = usual;
    }

    /** {@return its default concurrency strategy; with any other, an {@link EchoProtocol} serves} */
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
    abstract void serve(ServerOptions options, int threads, ConnectionLimit limit, StopRequest stop)
            throws IOException, InterruptedException;

    /** The default limit follows when it listens. */
    static ListenOptions listening(ConnectionLimit limit, StopRequest stop) {
        Connections connections = new Connections();
        if (limit.isChosen()) {
            limit.setFor(connections);
        }
        return new ListenOptions().connections(connections).onRefusal(limit::refuse).onFailure(stop::fail)
                .option(NativeSocketOptions.TCP_NODELAY, true);
    }
}

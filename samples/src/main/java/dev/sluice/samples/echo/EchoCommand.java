package dev.sluice.samples.echo;

import dev.sluice.connection.Acceptor;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketOptions;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.ReactorServer;
import dev.sluice.samples.server.ReadyLine;
import dev.sluice.samples.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice echo}. */
@Command(name = "echo", mixinStandardHelpOptions = true,
        description = "A TCP echo server on a Reactor: sends back every byte it receives.")
public final class EchoCommand implements Callable<Integer> {

    @Mixin
    private ServerOptions options;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1",
            description = "Reactors, each in a thread of its own; the first one accepts and hands connections out in "
                    + "turn (default: ${DEFAULT-VALUE}).")
    private int threads;

    /** For picocli. */
    public EchoCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply();
        if (threads < 1) {
            throw options.bad("--threads must be at least 1, not " + threads);
        }
        try (ReactorServer server = new ReactorServer("echo", options.demultiplexer(), threads);
                SocketAcceptor socket = SocketAcceptor.open(options.address())) {
            // Inherited by the connections.
            socket.setOption(SocketOptions.TCP_NODELAY, true);
            Map<Reactor, EchoLoop> loops = new IdentityHashMap<>();
            for (Reactor reactor : server.reactors()) {
                loops.put(reactor, new EchoLoop(server.connections(reactor)));
            }
            Reactor first = server.reactors().get(0);
            Acceptor acceptor = new Acceptor(first, socket, server.reactors(), () -> new EchoHandler(loops));
            acceptor.open();
            server.serve(List.of(socket), () -> announce(socket, first));
        }
        return 0;
    }

    private static void announce(SocketAcceptor socket, Reactor reactor) {
        try {
            ReadyLine.print("echo", socket.localAddress(), reactor.demultiplexer().name());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

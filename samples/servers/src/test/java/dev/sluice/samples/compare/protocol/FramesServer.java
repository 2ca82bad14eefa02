package dev.sluice.samples.compare.protocol;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.ConnectionThreads;
import dev.sluice.samples.conversation.ConversationFactory;
import dev.sluice.samples.conversation.PoolDesign;
import dev.sluice.samples.conversation.ServedProtocol;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.samples.server.Surroundings;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A server of frames in this process. */
final class FramesServer implements Closeable {

    /** What is served. */
    record Parts(ConcurrencyStrategy strategy, String demultiplexer, int threads, PoolDesign pool) {

        Parts withThreads(int count) {
            return new Parts(strategy, demultiplexer, count, pool);
        }

        /** Serves until it is asked to stop. */
        void serve(RequestHandler service, SocketAcceptor socket, StopRequest stop)
                throws IOException, InterruptedException {
            Options command = new Options();
            new CommandLine(command, Surroundings.ofProcess().factory())
                    .parseArgs("--demultiplexer", demultiplexer, "--port", "0");
            command.server.apply(strategy.mode(), null, strategy.isConcurrent() ? strategy.toString() : null);
            strategy.serve(new OnSocket(new FramesProtocol(service, pool), socket), command.server, threads, stop);
        }
    }

    @Command
    private static final class Options {
        @Mixin
        private ServerOptions server;
    }

    /** The protocol, on a socket that is there already. */
    private record OnSocket(FramesProtocol frames, SocketAcceptor socket) implements ServedProtocol {

        @Override
        public String name() {
            return frames.name();
        }

        @Override
        public SocketAcceptor listen(ServerOptions options) {
            return socket;
        }

        @Override
        public ConversationFactory conversations(EventLoopServer<Reactor> server, ConnectionThreads threads) {
            return frames.conversations(server, threads);
        }

        @Override
        public Consumer<AsyncStream> services(EventLoopServer<Proactor> server) {
            return frames.services(server);
        }

        @Override
        public PoolDesign pool() {
            return frames.pool();
        }
    }

    private final SocketAcceptor socket;
    private final SocketAddress address;
    private final StopRequest stop = new StopRequest();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final String name;

    FramesServer(Parts parts, RequestHandler service, SocketAcceptor socket) throws IOException {
        this.socket = socket;
        this.address = socket.localAddress();
        this.name = parts.toString();
        new Thread(() -> {
            try {
                parts.serve(service, socket, stop);
                end.complete(null);
            } catch (IOException | InterruptedException | RuntimeException | Error e) {
                socket.close();
                end.completeExceptionally(e);
            }
        }, "server").start();
    }

    SocketAddress address() {
        return address;
    }

    /** {@return whether it still accepts} */
    boolean isServing() {
        return !end.isDone() && socket.handle().isOpen();
    }

    /** Stops it, and waits for that. */
    @Override
    public void close() throws IOException {
        stop.request();
        try {
            end.join();
        } catch (CompletionException e) {
            throw new IOException(name, e.getCause());
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

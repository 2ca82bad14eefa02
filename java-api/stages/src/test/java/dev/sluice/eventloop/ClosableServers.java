package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.Connector;
import dev.sluice.connection.ListenOptions;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.proactor.Proactors;
import dev.sluice.proactor.StreamHandler;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StagePool;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.AsyncServerSocket;
import dev.sluice.stages.io.FileCompletion;
import dev.sluice.stages.io.FileStage;
import dev.sluice.stages.io.SocketEvent;
import dev.sluice.stages.io.SocketStages;
import dev.sluice.stages.io.StagedFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Acceptors, connectors and stages in use, on what they need. */
final class ClosableServers {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
    /** How long a stop without memory waits for what it cannot have done. */
    private static final Duration SOON = Duration.ofMillis(500);

    private ClosableServers() {
    }

    static final class OpenAcceptor extends Closable {

        private final Reactor reactor;
        private final SocketAcceptor listening = SocketAcceptor.open(ANY_PORT);
        private final Acceptor acceptor;

        OpenAcceptor(String name, List<Connection> unused) throws IOException {
            reactor = Reactor.open(name);
            acceptor = Acceptor.listen(List.of(reactor), listening, new ListenOptions(), () -> null);
            reactor.runOnce(Duration.ZERO);
        }

        @Override
        public void close() {
            acceptor.close();
            reactor.close();
        }

        @Override
        public void assertAllNotified(int connections) {
            assertFalse(listening.handle().isOpen());
        }
    }

    static final class OpenAsyncAcceptor extends Closable {

        private final Proactor proactor;
        private final SocketAcceptor listening = SocketAcceptor.open(ANY_PORT);
        private final AsyncAcceptor acceptor;

        OpenAsyncAcceptor(String name, List<Connection> unused) throws IOException {
            proactor = Proactor.open(name);
            acceptor = AsyncAcceptor.listen(List.of(proactor), listening, new ListenOptions(), AsyncStream::close);
            proactor.runOnce(Duration.ZERO);
        }

        @Override
        public void close() {
            acceptor.close();
            proactor.close();
        }

        @Override
        public void assertAllNotified(int connections) {
            assertFalse(listening.handle().isOpen());
        }
    }

    static final class OpenConnector extends Closable {

        private final Reactor reactor;
        private final SocketAcceptor listening = SocketAcceptor.open(ANY_PORT);

        OpenConnector(String name, List<Connection> many) throws IOException {
            reactor = Reactor.open(name);
            for (int i = 0; i < many.size(); i++) {
                Connector.connect(reactor, listening.localAddress(), EventLoopContract.LIMIT, new ServiceHandler() {
                    @Override
                    protected void open() {
                        peer().close();
                        notified.incrementAndGet();
                    }

                    @Override
                    public void handleInput(Registration registration) {
                        throw new AssertionError("it is closed");
                    }

                    @Override
                    protected void connectFailed(Throwable cause) {
                        notified.incrementAndGet();
                    }
                });
            }
        }

        @Override
        public void close() {
            reactor.close();
            listening.close();
        }
    }

    static final class OpenAsyncConnector extends Closable {

        private final Proactor proactor;
        private final SocketAcceptor listening = SocketAcceptor.open(ANY_PORT);

        OpenAsyncConnector(String name, List<Connection> many) throws IOException {
            proactor = Proactor.open(name);
            for (int i = 0; i < many.size(); i++) {
                AsyncStream.connect(proactor, listening.localAddress(), EventLoopContract.LIMIT, new StreamHandler() {
                    @Override
                    public void opened(AsyncStream stream) {
                        stream.close();
                    }

                    @Override
                    public void received(AsyncStream stream, ProvidedBuffer buffer) {
                        throw new AssertionError("it is closed");
                    }

                    @Override
                    public void closed(AsyncStream stream) {
                        notified.incrementAndGet();
                    }
                });
            }
        }

        @Override
        public void close() {
            proactor.close();
            listening.close();
        }
    }

    /** The three stages of sockets, with a connection that is being read, and a stage of the application in a pool. */
    static final class OpenSocketStages extends Closable {

        private final ProactorGroup group;
        private final StagePool pool = new StagePool("pool", 1);
        private final StageGraph graph = new StageGraph("graph");
        private final SocketStages sockets;
        private final AsyncServerSocket server;
        private final SocketStream client;
        private final AtomicInteger accepted = new AtomicInteger();
        private final AtomicInteger stops = new AtomicInteger();

        OpenSocketStages(String name, List<Connection> unused) throws IOException {
            group = Proactors.group(name, 1);
            sockets = new SocketStages(graph, "sockets", group.next());
            Stage<SocketEvent> application = graph.add("application", SocketEvent.class, new StageHandler<>() {
                private EventQueue<SocketEvent> queue;

                @Override
                public void handleStart(StageContext context) {
                    queue = context.queue("application", SocketEvent.class);
                }

                @Override
                public void handleEvents(EventBatch<SocketEvent> batch) throws Exception {
                    for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
                        if (event instanceof AsyncConnection connection) {
                            connection.startReading(queue);
                            accepted.incrementAndGet();
                        }
                    }
                }

                @Override
                public void handleStop() {
                    stops.incrementAndGet();
                }
            }, new StageOptions<SocketEvent>().pool(pool));
            graph.start();
            server = new AsyncServerSocket(sockets, ANY_PORT, application.queue());
            client = SocketConnector.connect(server.localAddress(), EventLoopContract.LIMIT);
            OtherThread.await(() -> accepted.get() == 1);
        }

        @Override
        public void close() {
            server.close();
            graph.stop(SOON);
            pool.close();
            group.close();
        }

        @Override
        public void assertAllNotified(int connections) {
            client.close();
            assertEquals(0, sockets.connections());
            assertEquals(1, stops.get());
        }
    }

    /** A stage of files with an open one, in threads of its own or on a proactor. */
    static final class OpenFiles extends Closable {

        private final ProactorGroup group;
        private final StageGraph graph = new StageGraph("graph");
        private final FileStage files;
        private final Path path = Files.createTempFile("sluice", "file");
        private final AtomicInteger completions = new AtomicInteger();

        static OpenFiles blocking(String name, List<Connection> unused) throws IOException {
            return new OpenFiles(null);
        }

        static OpenFiles onProactor(String name, List<Connection> unused) throws IOException {
            return new OpenFiles(name);
        }

        private OpenFiles(String name) throws IOException {
            group = name == null ? null : Proactors.group(name, 1);
            files = group == null ? FileStage.blocking(graph, "files", 2)
                    : FileStage.on(graph, "files", 2, group.next());
            Stage<FileCompletion> application = graph.add("application", FileCompletion.class, batch -> {
                while (batch.next() != null) {
                    completions.incrementAndGet();
                }
            });
            graph.start();
            StagedFile file = new StagedFile(files, path, application.queue(), StandardOpenOption.WRITE);
            file.write(ByteBuffer.allocateDirect(1), null);
            OtherThread.await(() -> completions.get() == 2);
        }

        @Override
        public void close() {
            graph.stop(SOON);
            if (group != null) {
                group.close();
            }
        }

        @Override
        public void assertAllNotified(int connections) {
            assertEquals(0, files.files());
            path.toFile().delete();
        }
    }
}

package dev.sluice.stage.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.eventloop.LoopThread;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.ProactorContract;
import dev.sluice.stage.EventBatch;
import dev.sluice.stage.EventQueue;
import dev.sluice.stage.Stage;
import dev.sluice.stage.StageGraph;
import dev.sluice.stage.StageHandler;
import dev.sluice.stage.StageOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;

/** Sockets as stages, on each asynchronous demultiplexer. */
abstract class SocketStagesContract extends ProactorContract {

    static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    StageGraph graph;
    SocketStages sockets;
    Application application;
    Stage<SocketEvent> stage;
    AsyncServerSocket server;

    /** Does with each event what a test wants, and notes it. */
    static class Application implements StageHandler<SocketEvent> {

        final List<SocketEvent> events = new CopyOnWriteArrayList<>();
        /** What it waits for before it handles an event. */
        volatile CountDownLatch gate = new CountDownLatch(0);
        final CountDownLatch inside = new CountDownLatch(1);
        volatile EventQueue<SocketEvent> queue;

        @Override
        public void handleEvents(EventBatch<SocketEvent> batch) throws Exception {
            for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
                inside.countDown();
                OtherThread.await(gate);
                handle(event);
                events.add(event);
            }
        }

        /** By default, everything is read. */
        void handle(SocketEvent event) throws Exception {
            if (event instanceof AsyncConnection connection) {
                connection.startReading(queue);
            }
        }

        @Override
        public boolean isExclusive() {
            return true;
        }

        <T extends SocketEvent> List<T> all(Class<T> type) {
            return events.stream().filter(type::isInstance).map(type::cast).toList();
        }

        /** {@return the first one, once there is one} */
        <T extends SocketEvent> T await(Class<T> type) {
            return await(type, 1).get(0);
        }

        <T extends SocketEvent> List<T> await(Class<T> type, int count) {
            OtherThread.await(() -> all(type).size() >= count);
            return all(type);
        }
    }

    @BeforeEach
    void makeGraph() {
        graph = new StageGraph("graph of a test");
    }

    /** Runs a graph with an application that listens. */
    final void run(Application app, SocketOptions options, int capacity) throws IOException {
        run(app, options, capacity, null);
    }

    /** Runs a graph with an application that listens, and a stage behind it, if there is to be one. */
    final void run(Application app, SocketOptions options, int capacity, Application behind) throws IOException {
        application = app;
        runByAsManyAsMay();
        own(graph);
        sockets = new SocketStages(graph, "tcp", proactor, options);
        stage = graph.add("application", SocketEvent.class, app, new StageOptions<SocketEvent>().capacity(capacity));
        app.queue = stage.queue();
        if (behind != null) {
            behind.queue = graph.add("behind", SocketEvent.class, behind).queue();
        }
        server = new AsyncServerSocket(sockets, ANY_PORT, stage.queue());
        graph.start();
    }

    /** Has the loop be run by one thread, or by several where that is possible. */
    final void runByAsManyAsMay() {
        runInBackground();
        if (isShared()) {
            own(LoopThread.started(proactor));
            own(LoopThread.started(proactor));
        }
    }

    final void run(Application app) throws IOException {
        run(app, new SocketOptions(), 64);
    }

    final SocketStream connect() throws IOException {
        return own(SocketConnector.connect(server.localAddress(), LIMIT));
    }

    static void assertReceives(SocketStream stream, byte[] expected) throws IOException {
        ByteBuffer room = ByteBuffer.allocate(expected.length);
        stream.receiveFully(room, LIMIT);
        assertEquals(ByteBuffer.wrap(expected), room.flip());
    }
}

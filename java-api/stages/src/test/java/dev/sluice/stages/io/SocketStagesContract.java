package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.ProactorContract;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;

/** Sockets as stages, on each asynchronous demultiplexer. */
abstract class SocketStagesContract extends ProactorContract {

    static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    StageGraph graph;
    SocketStages sockets;
    Application application;
    Stage<SocketEvent> stage;
    AsyncServerSocket server;
    /** The number of threads that run the loop, where several may. */
    int loopThreads = 3;

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

    /** Sends back what it gets, and waits until there is room for it. */
    static final class Echo extends Application {

        @Override
        void handle(SocketEvent event) throws Exception {
            super.handle(event);
            if (event instanceof Packet packet) {
                assertTrue(packet.bytes().remaining() <= Packet.MAX_COPIED_BYTES);
                while (packet.connection().send(packet.bytes()) == EnqueueResult.FULL) {
                    Thread.yield();
                }
            } else if (event instanceof EndOfInput ended) {
                ended.connection().closeAfterSending();
            }
        }
    }

    /** Another graph on the same proactor. */
    final class SecondGraph implements AutoCloseable {

        private final StageGraph own = new StageGraph("second graph");
        final AsyncServerSocket listening;

        SecondGraph(Application app) throws IOException {
            SocketStages stages = new SocketStages(own, "second", proactor);
            Stage<SocketEvent> added = own.add("second application", SocketEvent.class, app);
            app.queue = added.queue();
            listening = new AsyncServerSocket(stages, ANY_PORT, added.queue());
            own.start();
        }

        SocketStream connect() throws IOException {
            return SocketConnector.connect(listening.localAddress(), LIMIT);
        }

        @Override
        public void close() {
            own.close();
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
        run(app, options, new StageOptions<SocketEvent>().capacity(capacity), behind);
    }

    /** Runs a graph with an application that listens, and a stage behind it, if there is to be one. */
    final void run(Application app, SocketOptions options, StageOptions<SocketEvent> stageOptions, Application behind)
            throws IOException {
        application = app;
        runByAsManyAsMay();
        own(graph);
        sockets = new SocketStages(graph, "tcp", proactor, options);
        stage = graph.add("application", SocketEvent.class, app, stageOptions);
        app.queue = stage.queue();
        if (behind != null) {
            behind.queue = graph.add("behind", SocketEvent.class, behind).queue();
        }
        server = new AsyncServerSocket(sockets, ANY_PORT, stage.queue());
        graph.start();
    }

    /** Runs the loop by one thread, or by several where that is possible. */
    final void runByAsManyAsMay() {
        runInBackground();
        for (int i = 1; i < loopThreads && isShared(); i++) {
            own(LoopRunner.started(proactor));
        }
    }

    final void run(Application app) throws IOException {
        run(app, new SocketOptions(), 64);
    }

    /** Runs a task in the loop, which does nothing else during it unless several threads run the loop. */
    final <T> T inLoop(Callable<T> action) throws Exception {
        FutureTask<T> task = new FutureTask<>(action);
        proactor.execute(task);
        return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    final SocketStream connect() throws IOException {
        return own(SocketConnector.connect(server.localAddress(), LIMIT));
    }

    static void assertReceives(SocketStream stream, byte[] expected) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(expected.length);
        stream.receiveFully(buffer, LIMIT);
        assertEquals(ByteBuffer.wrap(expected), buffer.flip());
    }
}

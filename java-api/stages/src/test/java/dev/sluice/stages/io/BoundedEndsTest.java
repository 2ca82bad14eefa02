package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.stages.Admission;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A connection that has ended keeps its place until its last event has been delivered. */
class BoundedEndsTest extends SocketStagesContract {

    private final Application narrow = new Application();
    private Stage<SocketEvent> narrowStage;

    /** Fills a stage of another graph, which handles nothing. */
    private void fillNarrowStage() {
        StageGraph second = own(new StageGraph("second graph"));
        narrow.gate = new CountDownLatch(1);
        narrowStage = second.add("narrow", SocketEvent.class, narrow,
                new StageOptions<SocketEvent>().capacity(1).batch(1));
        second.start();
        SocketEvent any = new ConnectFailed(null, null);
        assertEquals(EnqueueResult.ACCEPTED, narrowStage.queue().enqueue(any));
        OtherThread.await(narrow.inside);
        assertEquals(EnqueueResult.ACCEPTED, narrowStage.queue().enqueue(any));
    }

    /** Waits until something was to be put there and was not. */
    private void awaitRefusal() {
        OtherThread.await(() -> narrowStage.rejected() > 0);
    }

    /** The connection may begin to receive only after that. */
    private static void reset(SocketStream peer) throws IOException {
        WineDifference.RECEIVE_AFTER_RESET_IS_THE_END.assumeAbsent();
        peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        peer.close();
    }

    private AsyncClientSocket connectTo(SocketAddress address) throws IOException {
        return new AsyncClientSocket(sockets, address, LIMIT, narrowStage.queue());
    }

    @Test
    void endedConnectionKeepsItsPlaceUntilReported() throws Exception {
        fillNarrowStage();
        run(new Application() {
            @Override
            void handle(SocketEvent event) {
                if (event instanceof AsyncConnection connection) {
                    connection.startReading(narrowStage.queue());
                }
            }
        }, new SocketOptions().connections(1), 64);
        SocketStream peer = connect();
        application.await(AsyncConnection.class);
        reset(peer);
        awaitRefusal();
        assertEquals(1, sockets.connections());
        assertThrows(IOException.class, () -> connectTo(server.localAddress()));
        narrow.gate.countDown();
        assertNotNull(narrow.await(ConnectionClosed.class).cause());
        // The server waits for it.
        connect();
        application.await(AsyncConnection.class, 2);
    }

    @Test
    void failedConnectionKeepsItsPlaceUntilReported() throws Exception {
        fillNarrowStage();
        run(new Application(), new SocketOptions().connections(2), 64);
        SocketAddress unused;
        try (SocketAcceptor closed = SocketAcceptor.open(ANY_PORT)) {
            unused = closed.localAddress();
        }
        connectTo(unused);
        awaitRefusal();
        assertThrows(IOException.class, () -> connectTo(unused));
        narrow.gate.countDown();
        OtherThread.await(() -> narrow.all(ConnectFailed.class).size() == 3);
        // As soon as the failure has been reported.
        connectTo(unused);
        narrow.await(ConnectFailed.class, 4);
    }

    @Test
    void theEndOfAConnectionComesLast() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        for (int i = 0; i < 100; i++) {
            assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.allocate(1000), i, stage.queue()));
        }
        reset(peer);
        application.await(ConnectionClosed.class);
        OtherThread.await(() -> sockets.connections() <= 1 && stage.length() == 0);
        List<SocketEvent> events = List.copyOf(application.events);
        assertEquals(100, events.stream().filter(PacketSent.class::isInstance).count());
        assertEquals(ConnectionClosed.class, events.get(events.size() - 1).getClass());
        assertEquals(0, connection.outgoing());
    }

    /** The place is offered to a server that waits for it, and not to one that has been closed in the meantime. */
    @Test
    void aServerThatIsClosedLeavesThePlaceToOthers() throws Exception {
        run(new Application(), new SocketOptions().connections(1), 64);
        connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        // Only now, as each server takes a place before any peer connects.
        AsyncServerSocket closed = new AsyncServerSocket(sockets, ANY_PORT, stage.queue());
        AsyncServerSocket other = new AsyncServerSocket(sockets, ANY_PORT, stage.queue());
        // Each of the others may be the first to wait for the place.
        connect();
        own(SocketConnector.connect(other.localAddress(), LIMIT));
        closed.close();
        assertNull(application.await(ServerSocketClosed.class).cause());
        connection.close();
        application.await(AsyncConnection.class, 2).get(1).close();
        application.await(AsyncConnection.class, 3);
    }

    /** Waits for a place, and does not take it. */
    private static final class Waiting extends SocketRequest {

        final AtomicInteger served = new AtomicInteger();

        Waiting(SocketStages stages) {
            super(stages, stages.listening);
        }

        @Override
        void serve() {
            served.incrementAndGet();
        }

        @Override
        void fail(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        void abandon() {
        }
    }

    /** Otherwise the signals for two places would go to one request, while another one waits. */
    @Test
    void requestThatWaitsTwiceIsSignalledForOnePlace() throws Exception {
        run(new Application(), new SocketOptions().connections(3), 64);
        connect();
        connect();
        List<AsyncConnection> connections = application.await(AsyncConnection.class, 2);
        // The server takes the third place before a peer connects.
        OtherThread.await(() -> sockets.connections() == 3);
        Waiting first = new Waiting(sockets);
        Waiting second = new Waiting(sockets);
        sockets.awaitSlot(first);
        sockets.awaitSlot(first);
        sockets.awaitSlot(second);
        connections.forEach(AsyncConnection::close);
        OtherThread.await(() -> first.served.get() > 0 && second.served.get() > 0);
    }

    // An application's queue that throws

    /** Throws once on an event. */
    private static final class Throwing implements Admission<SocketEvent> {

        private final Predicate<SocketEvent> choice;
        private final AtomicInteger left = new AtomicInteger(1);

        Throwing(Predicate<SocketEvent> choice) {
            this.choice = choice;
        }

        @Override
        public boolean admit(SocketEvent event, int length) {
            if (choice.test(event) && left.getAndDecrement() > 0) {
                throw new IllegalStateException("in a test");
            }
            return true;
        }
    }

    private void runThrowing(Predicate<SocketEvent> choice) throws IOException {
        application = new Application();
        runByAsManyAsMay();
        own(graph);
        sockets = new SocketStages(graph, "tcp", proactor);
        stage = graph.add("application", SocketEvent.class, application,
                new StageOptions<SocketEvent>().admission(new Throwing(choice)));
        application.queue = stage.queue();
        server = new AsyncServerSocket(sockets, ANY_PORT, stage.queue());
        graph.start();
    }

    private static void awaitEnd(SocketStream peer) throws Exception {
        OtherThread.run(() -> {
            ByteBuffer buffer = ByteBuffer.allocate(1);
            while (peer.receive(buffer) != SocketStream.END_OF_STREAM) {
                Thread.yield();
            }
        });
    }

    @Test
    void unreportableConnectionAffectsNoOther() throws Exception {
        runThrowing(AsyncConnection.class::isInstance);
        awaitEnd(connect());
        connect();
        application.await(AsyncConnection.class);
    }

    @Test
    void unreportableClientConnectionIsClosed() throws Exception {
        runThrowing(AsyncConnection.class::isInstance);
        try (SocketAcceptor acceptor = SocketAcceptor.open(ANY_PORT)) {
            new AsyncClientSocket(sockets, acceptor.localAddress(), LIMIT, stage.queue());
            awaitEnd(own(acceptor.accept(LIMIT)));
        }
        // That of the server.
        OtherThread.await(() -> sockets.connections() == 1);
    }

    @Test
    void unreportablePacketEndsItsConnectionOnly() throws Exception {
        runThrowing(event -> event instanceof PacketSent sent && sent.token().equals(1));
        connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        assertEquals(3, inLoop(() -> {
            int accepted = 0;
            while (accepted < 3 && connection.send(ByteBuffer.allocate(1), accepted, stage.queue())
                    == EnqueueResult.ACCEPTED) {
                accepted++;
            }
            return accepted;
        }));
        assertNotNull(application.await(ConnectionClosed.class).cause());
        assertEquals(List.of(0, 2), application.all(PacketSent.class).stream().map(PacketSent::token).toList());
        assertEquals(0, connection.outgoing());
        OtherThread.await(() -> sockets.connections() == 1);
    }

    @Test
    void unreportableEndReleasesThePlace() throws Exception {
        runThrowing(ConnectionClosed.class::isInstance);
        SocketStream peer = connect();
        application.await(AsyncConnection.class);
        assertEquals(2, sockets.connections());
        reset(peer);
        OtherThread.await(() -> sockets.connections() == 1);
        assertTrue(graph.stop(LIMIT).isDrained());
    }
}

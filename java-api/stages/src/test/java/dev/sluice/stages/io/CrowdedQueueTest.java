package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.Proactors;
import dev.sluice.stages.Admission;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageAccount;
import dev.sluice.stages.StageOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Queues of applications that hardly ever have room, or whose admission refuses. */
class CrowdedQueueTest extends SocketStagesContract {

    private static final int CAPACITY = 4;
    private static final int CLIENTS = 12;
    private static final int PACKETS = 100;
    /** Less than two connections would need that asked again every 10 ms. */
    private static final int MAX_SIGNALS = 12;
    private static final Duration SHORT = Duration.ofMillis(200);
    /** More than a round trip, so that an answered client sends again before the next one is answered. */
    private static final long COST = TimeUnit.MILLISECONDS.toNanos(2);

    /** Answers each packet, which takes a while, and records the answered connections. */
    private static final class SlowEcho extends Application {

        private final Set<AsyncConnection> answered = ConcurrentHashMap.newKeySet();

        @Override
        void handle(SocketEvent event) throws Exception {
            super.handle(event);
            if (event instanceof Packet packet) {
                LockSupport.parkNanos(COST);
                assertEquals(EnqueueResult.ACCEPTED, packet.connection().send(packet.bytes()));
                answered.add(packet.connection());
            }
        }
    }

    /** Asks, and asks again as soon as there is an answer, until all have got one. */
    private void ask(SocketStream peer, SlowEcho app) throws Exception {
        byte[] question = {1};
        while (app.answered.size() < CLIENTS) {
            peer.sendFully(ByteBuffer.wrap(question), LIMIT);
            assertReceives(peer, question);
        }
    }

    @Test
    void waitingConnectionIsServedDespiteFasterOnes() throws Exception {
        SlowEcho app = new SlowEcho();
        run(app, new SocketOptions(), new StageOptions<SocketEvent>().capacity(CAPACITY).batch(1), null);
        List<OtherThread<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            SocketStream peer = connect();
            clients.add(OtherThread.start(() -> {
                ask(peer, app);
                return null;
            }));
        }
        for (OtherThread<Void> client : clients) {
            client.result();
        }
    }

    /** To the outside the queue is closed at once, but to the sockets when they are idle: they wait until then. */
    @Test
    void stopDoesNotPollForSpace() throws Exception {
        Application slow = new Application();
        slow.gate = new CountDownLatch(1);
        run(slow, new SocketOptions(), 1);
        SocketStream first = connect();
        SocketStream second = connect();
        OtherThread.await(() -> stage.length() == 1);
        slow.gate.countDown();
        slow.await(AsyncConnection.class, 2);
        slow.gate = new CountDownLatch(1);
        // One packet is inside the handler, one fills the queue, and each connection has one more that waits.
        for (SocketStream peer : List.of(first, second, first, second)) {
            long pieces = reading().accepted();
            peer.sendFully(ByteBuffer.allocate(1), LIMIT);
            OtherThread.await(() -> reading().accepted() > pieces && reading().pending() == 0);
        }
        OtherThread.await(() -> stage.length() == 1 && stage.queue().hasWaiters());
        long before = reading().accepted();
        graph.stop(SHORT);
        slow.gate.countDown();
        // Each connection may be signalled for what it has received, for the close of the queue, and for its own end.
        long during = reading().accepted() - before;
        assertTrue(during <= MAX_SIGNALS, () -> during + " more: " + graph.accounts());
    }

    private StageAccount reading() {
        return graph.accounts().stream().filter(account -> account.stage().equals("tcp-read")).findFirst()
                .orElseThrow();
    }

    /** Refuses all events while it is shut. */
    private static final class Door implements Admission<SocketEvent> {

        private volatile boolean shut = true;

        @Override
        public boolean admit(SocketEvent event, int length) {
            return !shut;
        }
    }

    @Test
    void whatIsRefusedTakesATimerAndNoMore() throws Exception {
        CountedTimers timers = new CountedTimers();
        proactor = own(Proactors.on(OpenedDemultiplexers.openAsynchronous(demultiplexer), timers));
        Application refusing = new Application();
        Door door = new Door();
        Stage<SocketEvent> refusingStage = graph.add("refusing", SocketEvent.class, refusing,
                new StageOptions<SocketEvent>().admission(door));
        EventQueue<SocketEvent> target = refusingStage.queue();
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        for (int i = 0; i < PACKETS; i++) {
            assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.wrap(new byte[] {1}), i, target));
            // Each is received before the next is sent, so that each has an end of its own.
            assertReceives(peer, new byte[] {1});
        }
        OtherThread.await(() -> timers.count() > 0);
        assertEquals(1, timers.most());
        door.shut = false;
        assertEquals(PACKETS, refusing.await(PacketSent.class, PACKETS).size());
        OtherThread.await(() -> timers.count() == 0);
    }

    /** Handles as many events as it is allowed to. */
    private static final class Patient extends Application {

        private final Semaphore allowed = new Semaphore(0);

        @Override
        void handle(SocketEvent event) throws Exception {
            assertTrue(allowed.tryAcquire(LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private Patient behind(String name, int capacity) {
        Patient app = new Patient();
        app.queue = graph.add(name, SocketEvent.class, app, new StageOptions<SocketEvent>().capacity(capacity).batch(1))
                .queue();
        return app;
    }

    private static void send(AsyncConnection connection, SocketStream peer, Application target) throws Exception {
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.wrap(new byte[] {1}), null, target.queue));
        assertReceives(peer, new byte[] {1});
    }

    /** The event of one packet waits for space in one queue, and that of the next packet for space in another. */
    @Test
    void spaceInEachOfTwoQueuesIsNoticed() throws Exception {
        Patient first = behind("first", CAPACITY);
        Patient second = behind("second", 1);
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        // One is inside each handler, the queues are full, and the end of one more waits for the first of them.
        send(connection, peer, second);
        OtherThread.await(second.inside);
        send(connection, peer, second);
        send(connection, peer, first);
        OtherThread.await(first.inside);
        for (int i = 0; i < CAPACITY + 1; i++) {
            send(connection, peer, first);
        }
        OtherThread.await(() -> first.queue.length() == CAPACITY && first.queue.hasWaiters());
        // With one place the first queue is far from half empty, and what waits gets in at the next opportunity.
        first.allowed.release();
        OtherThread.await(() -> first.events.size() == 1 && first.queue.length() == CAPACITY - 1);
        send(connection, peer, second);
        OtherThread.await(() -> first.queue.length() == CAPACITY);
        second.allowed.release(PACKETS);
        assertEquals(3, second.await(PacketSent.class, 3).size());
        first.allowed.release(PACKETS);
        assertEquals(CAPACITY + 2, first.await(PacketSent.class, CAPACITY + 2).size());
    }
}

package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FullSocket;
import dev.sluice.handle.SocketStream;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcomes of packets that have not been sent at the deadline of the stop. */
class StopTimeoutTest extends SocketStagesContract {

    /** More than one send takes. */
    private static final int PACKETS = 40;

    /** Receives the events of sent packets, in any thread, and is still open when the other graph has ended. */
    private static final class Witness {

        private final List<PacketSent> reported = new CopyOnWriteArrayList<>();
        private final CountDownLatch gate;
        private final Stage<SocketEvent> stage;

        Witness(StageGraph graph, StageOptions<SocketEvent> options, CountDownLatch gate) {
            this.gate = gate;
            stage = graph.add("witness", SocketEvent.class, batch -> {
                for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
                    OtherThread.await(gate);
                    reported.add((PacketSent) event);
                }
            }, options);
        }

        void awaitEachOnce() {
            OtherThread.await(() -> reported.size() >= PACKETS);
            assertEquals(IntStream.range(0, PACKETS).boxed().toList(),
                    reported.stream().map(PacketSent::token).toList());
            reported.forEach(sent -> assertNotNull(sent.cause(), sent::toString));
        }
    }

    private Witness witness(StageOptions<SocketEvent> options, int gates) {
        StageGraph second = own(new StageGraph("second graph"));
        Witness witness = new Witness(second, options, new CountDownLatch(gates));
        second.start();
        return witness;
    }

    /** {@return a connection that cannot send anything} */
    private AsyncConnection full() throws Exception {
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        FullSocket.fill(connection.stream(), peer);
        return connection;
    }

    private static List<WeakReference<ByteBuffer>> send(AsyncConnection connection, Witness witness) {
        List<WeakReference<ByteBuffer>> packets = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            ByteBuffer packet = ByteBuffer.allocateDirect(100);
            packets.add(new WeakReference<>(packet));
            assertEquals(EnqueueResult.ACCEPTED, connection.send(packet, i, witness.stage.queue()));
        }
        return packets;
    }

    private void giveUp(AsyncConnection connection) {
        // Some of them are being sent.
        OtherThread.await(() -> graph.accounts().stream().anyMatch(account -> account.expected() > 0));
        StopReport report = graph.stop(Duration.ofMillis(1));
        assertFalse(report.isDrained(), report::toString);
        assertFalse(connection.isOpen());
        assertEquals(EnqueueResult.CLOSED, connection.send(ByteBuffer.allocate(1)));
    }

    @Test
    void eachPacketIsReportedOnceAndReleased() throws Exception {
        run(new Application());
        Witness witness = witness(new StageOptions<SocketEvent>().direct(), 0);
        AsyncConnection connection = full();
        List<WeakReference<ByteBuffer>> packets = send(connection, witness);
        giveUp(connection);
        witness.awaitEachOnce();
        OtherThread.await(() -> connection.outgoing() == 0 && sockets.connections() == 0);
        OtherThread.await(() -> {
            System.gc();
            return packets.stream().allMatch(packet -> packet.get() == null);
        });
        assertEquals(PACKETS, witness.reported.size());
    }

    /** Only the witness makes space, and only the thread that makes it delivers further events. */
    @Test
    void eachPacketIsReportedDespiteLittleSpace() throws Exception {
        run(new Application());
        Witness witness = witness(new StageOptions<SocketEvent>().capacity(2).batch(1), 1);
        AsyncConnection connection = full();
        send(connection, witness);
        giveUp(connection);
        OtherThread.await(() -> witness.stage.rejected() > 0);
        witness.gate.countDown();
        witness.awaitEachOnce();
        OtherThread.await(() -> connection.outgoing() == 0);
    }

    /** The last ones are sent after the application has ended, and are not reported. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsLentIsGivenBack(boolean givesUp) throws Exception {
        AtomicInteger sending = new AtomicInteger();
        run(new Application() {
            @Override
            void handle(SocketEvent event) throws Exception {
                super.handle(event);
                if (event instanceof Packet packet) {
                    packet.retain();
                    if (packet.connection().send(packet.bytes(), packet, queue) == EnqueueResult.ACCEPTED) {
                        sending.incrementAndGet();
                    } else {
                        packet.release();
                    }
                } else if (event instanceof PacketSent sent) {
                    ((Packet) sent.token()).release();
                }
            }
        }, new SocketOptions().zeroCopyPackets(), 64);
        SocketStream peer = connect();
        AsyncConnection connection = application.await(AsyncConnection.class);
        int filled = FullSocket.fill(connection.stream(), peer);
        peer.sendFully(ByteBuffer.wrap(Bytes.random(1000)), LIMIT);
        OtherThread.await(() -> sending.get() > 0 && connection.outgoing() > 0);
        assertTrue(sockets.retained.count() > 0, "lent");
        if (givesUp) {
            graph.stop(Duration.ofMillis(1));
        } else {
            OtherThread<StopReport> stop = OtherThread.start(() -> graph.stop(LIMIT));
            // It begins with closing all queues.
            OtherThread.awaitWaiting(stop.thread());
            peer.receiveFully(ByteBuffer.allocate(filled + 1000), LIMIT);
            assertTrue(stop.result().isDrained());
        }
        OtherThread.await(() -> sockets.retained.count() == 0 && connection.outgoing() == 0);
    }
}

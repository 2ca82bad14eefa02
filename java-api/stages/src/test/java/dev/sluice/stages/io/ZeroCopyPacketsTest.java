package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.SocketStream;
import dev.sluice.stages.Credits;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.StageOptions;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Packets in the buffers of the proactor: a buffer is released once its packet has no owner. */
class ZeroCopyPacketsTest extends SocketStagesContract {

    private static final int MANY = 3_000_000;

    private static SocketOptions lending() {
        return new SocketOptions().zeroCopyPackets();
    }

    private void awaitAllBack() {
        OtherThread.await(() -> sockets.retained.count() == 0);
    }

    /** Notes what has come. */
    private static final class Reader extends Application {

        private final ByteArrayOutputStream received = new ByteArrayOutputStream();

        @Override
        void handle(SocketEvent event) throws Exception {
            super.handle(event);
            if (event instanceof Packet packet) {
                note(packet);
            }
        }

        synchronized void note(Packet packet) {
            ByteBuffer bytes = packet.bytes();
            while (bytes.hasRemaining()) {
                received.write(bytes.get());
            }
        }

        synchronized int count() {
            return received.size();
        }

        synchronized ByteBuffer bytes() {
            return ByteBuffer.wrap(received.toByteArray());
        }
    }

    /** Sends the buffers themselves back, each of which it keeps until it has been sent. */
    private static final class Echo extends Application {

        private final AtomicInteger failed = new AtomicInteger();

        @Override
        void handle(SocketEvent event) throws Exception {
            super.handle(event);
            if (event instanceof Packet packet) {
                packet.retain();
                EnqueueResult result = packet.connection().send(packet.bytes(), packet, queue);
                if (result != EnqueueResult.ACCEPTED) {
                    packet.release();
                    failed.incrementAndGet();
                }
            } else if (event instanceof PacketSent sent) {
                ((Packet) sent.token()).release();
            }
        }
    }

    @Test
    void theBytesAreThereUntilTheHandlerReturns() throws Exception {
        Reader reader = new Reader();
        run(reader, lending(), 64);
        SocketStream peer = connect();
        byte[] much = Bytes.random(MANY);
        peer.sendFully(ByteBuffer.wrap(much), LIMIT);
        OtherThread.await(() -> reader.count() == MANY);
        assertEquals(ByteBuffer.wrap(much), reader.bytes());
        awaitAllBack();
        Packet last = reader.all(Packet.class).get(0);
        String message = assertThrows(IllegalStateException.class, last::bytes).getMessage();
        assertTrue(message.startsWith("packet 0 of ") && message.contains("retain"), message);
        assertThrows(IllegalStateException.class, last::retain);
        assertThrows(IllegalStateException.class, last::release);
    }

    @Test
    void whatIsKeptCanBeSent() throws Exception {
        Echo echo = new Echo();
        run(echo, lending().outgoing(10_000, 4 * MANY), 64);
        SocketStream peer = connect();
        for (byte value : Bytes.random(50)) {
            peer.sendFully(ByteBuffer.wrap(new byte[] {value}), LIMIT);
            assertReceives(peer, new byte[] {value});
        }
        byte[] much = Bytes.random(MANY);
        OtherThread<Void> sender = OtherThread.start(() -> {
            peer.sendFully(ByteBuffer.wrap(much), LIMIT);
            return null;
        });
        assertReceives(peer, much);
        sender.result();
        assertEquals(0, echo.failed.get());
        awaitAllBack();
    }

    /** What a packet costs is asked again when it has been handled. */
    @Test
    void creditsComeBackForWhatIsReleased() throws Exception {
        Credits<SocketEvent> credits = new Credits<>(4,
                event -> event instanceof Packet packet && packet.bytes().limit() > 0 ? 1 : 0);
        Reader reader = new Reader();
        run(reader, lending(), new StageOptions<SocketEvent>().admission(credits), null);
        SocketStream peer = connect();
        byte[] much = Bytes.random(MANY);
        peer.sendFully(ByteBuffer.wrap(much), LIMIT);
        OtherThread.await(() -> reader.count() == MANY);
        OtherThread.await(() -> credits.available() == credits.total());
        awaitAllBack();
    }

    @Test
    void aHandlerThatFailsKeepsNone() throws Exception {
        AtomicInteger count = new AtomicInteger();
        run(new Application() {
            @Override
            void handle(SocketEvent event) throws Exception {
                super.handle(event);
                if (event instanceof Packet packet) {
                    count.addAndGet(packet.bytes().remaining());
                    throw new AssertionError("in a test");
                }
            }

            @Override
            public void handleFailure(SocketEvent event, Throwable cause) {
                // The next packet arrives nevertheless.
            }
        }, lending(), 64);
        connect().sendFully(ByteBuffer.wrap(Bytes.random(MANY)), LIMIT);
        OtherThread.await(() -> count.get() == MANY);
        awaitAllBack();
    }

    @Test
    void whatWaitsGoesBackWhenTheConnectionIsClosed() throws Exception {
        Application slow = new Application();
        run(slow, lending(), 4);
        SocketStream peer = connect();
        AsyncConnection connection = slow.await(AsyncConnection.class);
        slow.gate = new CountDownLatch(1);
        OtherThread<Void> sender = OtherThread.start(() -> {
            peer.sendFully(ByteBuffer.wrap(Bytes.random(MANY)), LIMIT);
            return null;
        });
        OtherThread.await(() -> stage.length() == 4);
        connection.close();
        slow.gate.countDown();
        slow.await(ConnectionClosed.class);
        awaitAllBack();
        // It has been sent, or the end of the connection was faster.
        OtherThread.await(() -> !sender.thread().isAlive());
    }

    @Test
    void whatWaitsGoesBackAtTheEnd() throws Exception {
        Application slow = new Application();
        run(slow, lending(), 4);
        SocketStream peer = connect();
        slow.await(AsyncConnection.class);
        slow.gate = new CountDownLatch(1);
        OtherThread<Void> sender = OtherThread.start(() -> {
            peer.sendFully(ByteBuffer.wrap(Bytes.random(MANY)), LIMIT);
            return null;
        });
        OtherThread.await(() -> stage.length() == 4);
        assertTrue(sockets.retained.count() > 0, "lent");
        graph.stop(Duration.ZERO);
        slow.gate.countDown();
        awaitAllBack();
        OtherThread.await(() -> !sender.thread().isAlive());
    }

    @Test
    void anotherStageGetsWhatIsKept() throws Exception {
        Reader reader = new Reader();
        run(new Application() {
            @Override
            void handle(SocketEvent event) throws Exception {
                super.handle(event);
                if (event instanceof Packet packet) {
                    reader.queue.enqueue(packet.retain(), LIMIT);
                }
            }
        }, lending(), 64, reader);
        byte[] much = Bytes.random(MANY);
        connect().sendFully(ByteBuffer.wrap(much), LIMIT);
        OtherThread.await(() -> reader.count() == MANY);
        assertEquals(ByteBuffer.wrap(much), reader.bytes());
        awaitAllBack();
    }

    /** The other half is for what waits. */
    @Test
    void noMoreThanHalfOfThemAreLent() throws Exception {
        Application keeper = new Application() {
            @Override
            void handle(SocketEvent event) throws Exception {
                super.handle(event);
                if (event instanceof Packet packet) {
                    packet.retain();
                }
            }
        };
        run(keeper, lending().maxRetainedBuffers(4), 64);
        SocketStream peer = connect();
        List<Packet> packets = packets(keeper, peer, 3);
        assertEquals(List.of(true, true, false), packets.stream().map(packet -> packet.zeroCopy != null).toList());
        OtherThread.await(() -> sockets.retained.count() == 2);
        packets.get(0).release();
        OtherThread.await(() -> sockets.retained.count() == 1);
        packets = packets(keeper, peer, 4);
        assertNotNull(packets.get(3).zeroCopy);
        packets.get(1).release();
        packets.get(2).release();
        packets.get(3).release();
        awaitAllBack();
    }

    /** Sends single bytes until there are as many packets as the given count. */
    private static List<Packet> packets(Application keeper, SocketStream peer, int count) throws Exception {
        for (int before = keeper.all(Packet.class).size(); before < count; before++) {
            peer.sendFully(ByteBuffer.allocate(1), LIMIT);
            keeper.await(Packet.class, before + 1);
        }
        return keeper.all(Packet.class);
    }
}

package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.ForeignMemory;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FullSocket;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.Proactors;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How packets are sent, and their outcomes. */
class ConnectionWritingTest extends SocketStagesContract {

    /** Maximum number of small packets that are sent together. */
    private static final int MAX_GATHERED = 16;

    private AsyncConnection connectedTo(SocketStream peer) throws Exception {
        AsyncConnection connection = application.await(AsyncConnection.class);
        assertEquals(peer.localAddress(), connection.remoteAddress());
        return connection;
    }

    /** Sends packets of one byte, so that the stage sees all of them at once. */
    private void sendTogether(AsyncConnection connection, SocketStream peer, int count) throws Exception {
        byte[] all = Bytes.random(count);
        assertEquals(count, inLoop(() -> {
            int accepted = 0;
            while (accepted < count
                    && connection.send(ByteBuffer.wrap(all, accepted, 1)) == EnqueueResult.ACCEPTED) {
                accepted++;
            }
            return accepted;
        }));
        assertReceives(peer, all);
        OtherThread.await(() -> connection.outgoing() == 0);
    }

    @Test
    void smallPacketsThatComeTogetherAreSentTogether() throws Exception {
        // Another one could send a packet before the next is there.
        loopThreads = 1;
        DispatchTrace trace = new DispatchTrace();
        proactor = own(Proactors.on(OpenedDemultiplexers.openAsynchronous(demultiplexer), TimerQueue.heap(), trace));
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = connectedTo(peer);
        assertEquals(0, sends(trace));
        sendTogether(connection, peer, MAX_GATHERED);
        assertEquals(1, sends(trace));
        sendTogether(connection, peer, MAX_GATHERED + 1);
        assertEquals(3, sends(trace));
    }

    /** {@return how many sends have come to their end} */
    private static long sends(DispatchTrace trace) {
        return trace.toString().lines().filter(line -> line.contains(OperationType.SEND.toString())).count();
    }

    @Test
    void anIdleConnectionKeepsNoPacketAlive() throws Exception {
        run(new Application());
        SocketStream peer = connect();
        List<WeakReference<ByteBuffer>> packets = send(connectedTo(peer));
        OtherThread.await(() -> {
            System.gc();
            return packets.stream().allMatch(packet -> packet.get() == null);
        });
    }

    private List<WeakReference<ByteBuffer>> send(AsyncConnection connection) throws Exception {
        List<WeakReference<ByteBuffer>> packets = inLoop(() -> {
            List<WeakReference<ByteBuffer>> sent = new ArrayList<>();
            for (int i = 0; i < 2 * MAX_GATHERED; i++) {
                ByteBuffer packet = ByteBuffer.allocateDirect(10);
                sent.add(new WeakReference<>(packet));
                connection.send(packet);
            }
            return sent;
        });
        OtherThread.await(() -> connection.outgoing() == 0);
        return packets;
    }

    /** Sends another empty packet for each one that is reported. */
    private static final class Chain implements StageHandler<SocketEvent> {

        private final int length;
        private final AtomicInteger reported = new AtomicInteger();
        private volatile EventQueue<SocketEvent> queue;

        Chain(int length) {
            this.length = length;
        }

        @Override
        public void handleEvents(EventBatch<SocketEvent> batch) {
            for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
                if (event instanceof PacketSent sent && reported.incrementAndGet() < length) {
                    sent.connection().send(ByteBuffer.allocate(0), null, queue);
                }
            }
        }
    }

    /** Each is reported immediately, and causes the next one: nested calls would exceed a thread's stack. */
    @Test
    void emptyPacketsThatFollowEachOtherNeedNoStack() throws Exception {
        int length = CalledSystem.times(100_000);
        Chain chain = new Chain(length);
        StageGraph second = own(new StageGraph("second graph"));
        Stage<SocketEvent> direct = second.add("direct", SocketEvent.class, chain,
                new StageOptions<SocketEvent>().direct());
        chain.queue = direct.queue();
        second.start();
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = connectedTo(peer);
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.allocate(0), null, direct.queue()));
        OtherThread.await(() -> chain.reported.get() == length);
        sendTogether(connection, peer, 1);
    }

    /** No operation takes memory that is confined to another thread. */
    @Test
    void aPacketThatCannotBeSentEndsTheConnection() throws Exception {
        ForeignMemory.assumeThere();
        run(new Application());
        AsyncConnection connection = connectedTo(connect());
        try (AutoCloseable arena = ForeignMemory.arena("ofConfined")) {
            ByteBuffer confined = ForeignMemory.buffer(arena);
            assertEquals(EnqueueResult.ACCEPTED, connection.send(confined, "confined", stage.queue()));
            PacketSent sent = application.await(PacketSent.class);
            assertEquals("confined", sent.token());
            assertInstanceOf(IllegalStateException.class, sent.cause().getCause());
            assertTrue(sent.cause().getMessage().startsWith("cannot send on tcp "), sent::toString);
        }
        assertNotNull(application.await(ConnectionClosed.class).cause());
        assertEquals(EnqueueResult.CLOSED, connection.send(ByteBuffer.allocate(1)));
        OtherThread.await(() -> connection.outgoing() == 0);
        // No end of a send is announced any more, which the stop would wait for.
        assertTrue(graph.stop(LIMIT).isDrained());
    }

    @ParameterizedTest
    @CsvSource({"1, 500", "0, 500", "65536, 4"})
    void theOutgoingQueueHas500PacketsAnd256KibiBytes(int size, int count) throws Exception {
        run(new Application());
        SocketStream peer = connect();
        AsyncConnection connection = connectedTo(peer);
        // Then nothing leaves the queue.
        FullSocket.fill(connection.stream(), peer);
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.allocate(Math.max(1, size))));
        for (int i = 1; i < count; i++) {
            assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.allocate(size)));
        }
        assertEquals(EnqueueResult.FULL, connection.send(ByteBuffer.allocate(1)));
        assertEquals(count, connection.outgoing());
    }
}

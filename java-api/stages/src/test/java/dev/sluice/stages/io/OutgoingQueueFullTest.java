package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FullSocket;
import dev.sluice.handle.SocketStream;
import dev.sluice.stages.EnqueueResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the application learns that a peer does not read. */
class OutgoingQueueFullTest extends SocketStagesContract {

    /** More than two small sockets hold. */
    private static final int MUCH = 1_000_000;

    private static SocketOptions onePacket() {
        return new SocketOptions().outgoing(1, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void comesBeforePacketsThatAreNotAllowed(boolean onDemand) throws Exception {
        SocketOptions options = onePacket();
        if (onDemand) {
            options.receiveOnDemand(100);
        }
        Application silent = new Application() {
            @Override
            void handle(SocketEvent event) {
                if (event instanceof AsyncConnection connection) {
                    connection.startReading(queue, 0);
                }
            }
        };
        run(silent, options, 64);
        SocketStream peer = connect();
        peer.sendFully(ByteBuffer.wrap(Bytes.random(10)), LIMIT);
        AsyncConnection connection = silent.await(AsyncConnection.class);
        if (!onDemand) {
            // The packet is there, and comes first.
            OtherThread.await(() -> sockets.retained.count() == 1);
        }
        FullSocket.fill(connection.stream(), peer);
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.allocate(1)));
        assertEquals(EnqueueResult.FULL, connection.send(ByteBuffer.allocate(1)));
        silent.await(OutgoingQueueFull.class);
        assertEquals(List.of(), silent.all(Packet.class));
        connection.requestPackets(1);
        assertEquals(10, silent.await(Packet.class).bytes().remaining());
    }

    @Test
    void atMostOneWaitsForSpace() throws Exception {
        Application slow = new Application();
        run(slow, onePacket(), 1);
        SocketStream peer = connect();
        AsyncConnection connection = slow.await(AsyncConnection.class);
        int filled = FullSocket.fill(connection.stream(), peer);
        assertReceives(peer, new byte[filled]);
        slow.gate = new CountDownLatch(1);
        // One that is being handled, and one that fills the queue.
        connect();
        OtherThread.await(() -> stage.accepted() == 2 && stage.length() == 0);
        connect();
        OtherThread.await(() -> stage.length() == 1);
        for (int i = 0; i < 5; i++) {
            overrunAndReceive(connection, peer);
        }
        slow.gate.countDown();
        peer.shutdownOutput();
        // It comes after everything that waited with it.
        slow.await(EndOfInput.class);
        assertEquals(1, slow.all(OutgoingQueueFull.class).size());
        for (int i = 0; slow.all(OutgoingQueueFull.class).size() < 2; i++) {
            assertTrue(i < 1000, "it is not reported again");
            overrunAndReceive(connection, peer);
        }
    }

    /** Overruns the queue, and has it be empty again. */
    private static void overrunAndReceive(AsyncConnection connection, SocketStream peer) throws IOException {
        byte[] much = Bytes.random(MUCH);
        assertEquals(EnqueueResult.ACCEPTED, connection.send(ByteBuffer.wrap(much)));
        assertEquals(EnqueueResult.FULL, connection.send(ByteBuffer.allocate(1)));
        assertReceives(peer, much);
        OtherThread.await(() -> connection.outgoing() == 0);
    }
}

package dev.sluice.stages.io;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketStream;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Receives on demand, of connections that are served again and again while one is in flight. */
@Tag(Depth.IN_STRESS)
class ReceiveOnDemandTest extends SocketStagesContract {

    private static final int MAX_BYTES = 100;
    private static final int PEERS = 2;
    /** Half as many find a receive that begins too early. */
    private static final int ROUNDS = 100_000;
    /** Of all rounds, on a machine that others use, too. A packet that is lost is found by the limit of its receive. */
    private static final Duration LIMIT_OF_ALL = Duration.ofMinutes(30);

    /** Sends each packet back. */
    private static final class OnCredit extends Application {

        @Override
        void handle(SocketEvent event) {
            if (event instanceof AsyncConnection connection) {
                connection.startReading(queue, Integer.MAX_VALUE);
            } else if (event instanceof Packet packet) {
                packet.connection().send(packet.bytes());
                events.clear();
            }
        }
    }

    /** The next receive uses the same buffer, and must not be started before the packet was copied out of it. */
    @Test
    void nextReceiveStartsAfterThePacketIsTaken() throws Exception {
        loopThreads = 6;
        OnCredit app = new OnCredit();
        run(app, new SocketOptions().receiveOnDemand(MAX_BYTES), 64);
        List<SocketStream> peers = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            peers.add(connect());
        }
        List<AsyncConnection> connections = app.await(AsyncConnection.class, PEERS);
        AtomicBoolean done = new AtomicBoolean();
        OtherThread<Void> signals = OtherThread.start(() -> {
            while (!done.get()) {
                connections.forEach(connection -> connection.requestPackets(0));
            }
            return null;
        });
        List<OtherThread<Void>> senders = new ArrayList<>();
        for (SocketStream peer : peers) {
            senders.add(OtherThread.start(() -> {
                exchange(peer);
                return null;
            }));
        }
        for (OtherThread<Void> sender : senders) {
            sender.result(LIMIT_OF_ALL);
        }
        done.set(true);
        signals.result();
    }

    private static void exchange(SocketStream peer) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] question = ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
            peer.sendFully(ByteBuffer.wrap(question), LIMIT);
            assertReceives(peer, question);
        }
    }
}

package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.Proactors;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Packets that come faster than they may, with a rate of hardly any. */
class ReceiveRateTest extends SocketStagesContract {

    private static final int BURST = 2;
    /** The rate is exceeded by one, and that is made up for in the next eleven days. */
    private static final int COME = BURST + 1;
    private static final double ONE_IN_ELEVEN_DAYS = 1e-6;
    private static final int ROUNDS = 50;

    /** Reads on credit, so that each time that more is allowed the connection looks whether a packet may come. */
    private static final class OnCredit extends Application {

        @Override
        void handle(SocketEvent event) {
            if (event instanceof AsyncConnection connection) {
                connection.startReading(queue, 1000);
            }
        }
    }

    @Test
    void postponementDelaysNoOtherConnection() throws Exception {
        CountedTimers timers = new CountedTimers();
        proactor = own(Proactors.on(OpenedDemultiplexers.openAsynchronous(demultiplexer), timers));
        OnCredit app = new OnCredit();
        run(app, new SocketOptions().rate(ONE_IN_ELEVEN_DAYS, BURST), 64);
        SocketStream peer = connect();
        AsyncConnection connection = app.await(AsyncConnection.class);
        for (int i = 1; i <= COME; i++) {
            // One after the other, or they might come as one packet.
            peer.sendFully(ByteBuffer.allocate(1), LIMIT);
            app.await(Packet.class, i);
        }
        peer.sendFully(ByteBuffer.allocate(1), LIMIT);
        OtherThread.await(() -> timers.count() == 1);
        try (SecondGraph other = new SecondGraph(new Echo()); SocketStream served = other.connect()) {
            for (int i = 0; i < ROUNDS; i++) {
                connection.requestPackets(1);
                peer.sendFully(ByteBuffer.allocate(1), LIMIT);
                served.sendFully(ByteBuffer.wrap(Bytes.random(100)), LIMIT);
                assertReceives(served, Bytes.random(100));
            }
        }
        assertEquals(COME, app.all(Packet.class).size());
        assertEquals(1, timers.count());
        connection.close();
        app.await(ConnectionClosed.class);
        OtherThread.await(() -> timers.count() == 0);
        assertTrue(graph.stop(LIMIT).isDrained());
    }
}

package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** In which order connections are served that have something to do at one moment. */
class ServiceOrderTest extends SocketStagesContract {

    private static final int CONNECTIONS = 12;
    private static final int ROUNDS = 10;
    /** What reports sockets by their numbers. */
    private static final Set<String> FIXED = Set.of("select", "poll");

    private final List<Integer> order = new CopyOnWriteArrayList<>();
    private Stage<SocketEvent> direct;

    /** Sends an empty packet on each connection. {@return the order in which they were served} */
    private List<Integer> served(List<AsyncConnection> connections) throws Exception {
        order.clear();
        assertEquals(EnqueueResult.ACCEPTED, inLoop(() -> {
            EnqueueResult worst = EnqueueResult.ACCEPTED;
            for (int i = 0; i < CONNECTIONS; i++) {
                EnqueueResult result = connections.get(i).send(ByteBuffer.allocate(0), i, direct.queue());
                worst = result == EnqueueResult.ACCEPTED ? worst : result;
            }
            return worst;
        }));
        OtherThread.await(() -> order.size() == CONNECTIONS);
        return List.copyOf(order);
    }

    @Test
    void isLeftToChanceWhereTheSystemsIsFixed() throws Exception {
        StageGraph second = own(new StageGraph("second graph"));
        direct = second.add("direct", SocketEvent.class, batch -> {
            for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
                order.add((Integer) ((PacketSent) event).token());
            }
        }, new StageOptions<SocketEvent>().direct());
        second.start();
        run(new Application());
        for (int i = 0; i < CONNECTIONS; i++) {
            connect();
        }
        List<AsyncConnection> connections = application.await(AsyncConnection.class, CONNECTIONS);
        List<Integer> inOrder = IntStream.range(0, CONNECTIONS).boxed().toList();
        int shuffled = 0;
        for (int i = 0; i < ROUNDS; i++) {
            List<Integer> once = served(connections);
            assertEquals(inOrder, once.stream().sorted().toList());
            shuffled += once.equals(inOrder) ? 0 : 1;
        }
        // That chance leaves them as they are happens once in 479,001,600 rounds.
        assertEquals(FIXED.contains(demultiplexer) ? ROUNDS : 0, shuffled);
    }
}

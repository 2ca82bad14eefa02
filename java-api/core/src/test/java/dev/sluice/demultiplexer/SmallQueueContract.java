package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.Bytes;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Far more operations than fit in the queues: they wait, and none fails or is lost. */
abstract class SmallQueueContract extends OperationContract {

    private static final int TOTAL = Depth.times(4_000, 20_000, 100_000);
    private static final int AT_ONCE = 2_000;
    private static final int PAIRS = 20;
    private static final long POSTED = 42;

    private final List<Association> ends = new ArrayList<>();
    private final List<StreamPair> pairs = new ArrayList<>();

    SmallQueueContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Override
    final AsynchronousEventDemultiplexer open() throws IOException {
        return openSmall();
    }

    private void connect() throws IOException {
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(pair(StreamKind.fastest()));
            ends.add(associate(pairs.get(i).near()));
        }
    }

    private List<Flight> flights(int count) {
        List<Flight> flights = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            flights.add(flight());
        }
        return flights;
    }

    @Test
    void thousandsOfOperationsComplete() throws IOException {
        connect();
        completeAll(TOTAL);
    }

    @Test
    @Tag("stress")
    void millionsOfOperationsComplete() throws IOException {
        connect();
        completeAll(manyOperations());
    }

    private void completeAll(int total) throws IOException {
        List<Flight> flights = flights(AT_ONCE);
        for (int done = 0; done < total; done += AT_ONCE) {
            for (int i = 0; i < AT_ONCE; i++) {
                startOne(flights.get(i), i);
            }
            for (int i = 0; i < AT_ONCE; i++) {
                assertResult(i % 4 == 0 ? POSTED : i % 4 == 3 ? 0 : EventType.WRITE, flights.get(i));
            }
        }
        assertEquals(0, demultiplexer.inFlight());
    }

    private void startOne(Flight flight, int i) {
        Association where = ends.get(i / 4 % PAIRS);
        switch (i % 4) {
            case 0 -> flight.start(o -> o.post(POSTED));
            case 1, 2 -> flight.start(o -> o.poll(where, EventType.WRITE));
            default -> flight.start(o -> o.timeout(0));
        }
    }

    /** All at once, while no thread collects: the system has to keep more completions than its queue holds. */
    @Test
    void noCompletionIsLostByAnOverflow() throws IOException {
        connect();
        List<Flight> polls = flights(AT_ONCE);
        for (int i = 0; i < AT_ONCE; i++) {
            Association where = ends.get(i % PAIRS);
            polls.get(i).start(o -> o.poll(where, EventType.READ));
        }
        assertNoCompletion();
        for (StreamPair pair : pairs) {
            Peer.send(pair.far(), (byte) 1);
        }
        try (Completions single = demultiplexer.newCompletions(1)) {
            for (int i = 0; i < 100; i++) {
                assertEquals(1, collect(single, PATIENCE.toNanos()));
            }
        }
        collectAll(polls);
        assertTrue(polls.stream().allMatch(poll -> poll.result() == EventType.READ));
    }

    /** Even if each wait finds operations that have completed immediately, events of sockets must also be collected. */
    @Test
    void immediateCompletionsDoNotDelayOthers() throws IOException {
        connect();
        Flight receive = start(o -> o.receive(ends.get(0), ByteBuffer.allocateDirect(1)));
        assertNoCompletion();
        Flight post = start(o -> o.post(POSTED));
        Peer.send(pairs.get(0).far(), (byte) 1);
        Completions single = newBatch(1);
        long start = System.nanoTime();
        while (!receive.isDone()) {
            assertTrue(System.nanoTime() - start < PATIENCE.toNanos(), "the socket is never looked at");
            assertEquals(1, collect(single, PATIENCE.toNanos()));
            if (post.isDone()) {
                post.start(o -> o.post(POSTED));
            }
        }
        assertEquals(1, receive.result());
    }

    @Test
    void thousandsAreCancelledAtOnce() throws IOException {
        connect();
        List<Flight> receives = flights(AT_ONCE);
        for (int i = 0; i < AT_ONCE; i++) {
            Association where = ends.get(i % PAIRS);
            receives.get(i).start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        }
        assertNoCompletion();
        for (int i = 0; i < AT_ONCE; i += 2) {
            receives.get(i).operation().cancel();
        }
        ends.forEach(Association::cancel);
        for (Flight receive : receives) {
            assertCancelled(receive);
        }
    }

    @Test
    void thousandsOfSendsKeepTheirOrder() throws Exception {
        connect();
        List<Future<byte[]>> receivers = new ArrayList<>();
        List<Flight> sends = flights(AT_ONCE);
        byte[] content = Bytes.random(40_000);
        int each = content.length / (AT_ONCE / PAIRS);
        for (int i = 0; i < AT_ONCE; i++) {
            Association where = ends.get(i % PAIRS);
            ByteBuffer part = ByteBuffer.wrap(content, i / PAIRS * each, each);
            sends.get(i).start(o -> o.send(where, part, true));
        }
        for (StreamPair pair : pairs.subList(0, 8)) {
            receivers.add(inBackground(() -> Peer.receive(pair.far(), content.length)));
        }
        collectAll(sends);
        for (Future<byte[]> receiver : receivers) {
            assertBytes(content, finish(receiver));
        }
        for (StreamPair pair : pairs.subList(8, PAIRS)) {
            assertBytes(content, Peer.receive(pair.far(), content.length));
        }
    }

    @Test
    void closeWithThousandsInFlight() throws IOException {
        connect();
        for (int i = 0; i < AT_ONCE; i++) {
            Association where = ends.get(i % PAIRS);
            start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        }
        collect(0);
        demultiplexer.close();
        assertEquals(0, demultiplexer.inFlight());
    }

    @Test
    void shutdownWithThousandsInFlight() throws IOException {
        connect();
        List<Flight> receives = flights(AT_ONCE);
        for (int i = 0; i < AT_ONCE; i++) {
            Association where = ends.get(i % PAIRS);
            receives.get(i).start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        }
        demultiplexer.shutdown();
        for (Flight receive : receives) {
            assertCancelled(receive);
        }
        assertEquals(0, demultiplexer.inFlight());
    }
}

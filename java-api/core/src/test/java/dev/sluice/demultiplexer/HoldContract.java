package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** If several threads wait, a thread that has collected completions of a handle also gets its next ones. */
abstract class HoldContract extends OperationContract {

    private static final int MORE = 5;
    /** Far more than there are when the other handle's completion arrives. */
    private static final int MAX_BEFORE = 20 * MORE;

    private StreamPair pair;
    private Association where;

    HoldContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    void connect() throws IOException {
        pair = pair(StreamKind.fastest());
        where = associate(pair.near());
    }

    private Flight send(Association to, int content) {
        return start(o -> o.send(to, ByteBuffer.wrap(new byte[] {(byte) content}), true));
    }

    private List<Flight> sendMore() {
        List<Flight> sends = new ArrayList<>();
        for (int i = 0; i < MORE; i++) {
            sends.add(send(where, i));
        }
        return sends;
    }

    /** Makes the batch hold the handle, and starts further operations, whose completions are then deferred. */
    private List<Flight> holdIn(Completions batch) throws IOException {
        Flight first = send(where, -1);
        assertEquals(1, collect(batch, PATIENCE.toNanos()));
        assertTrue(first.isDone());
        return sendMore();
    }

    private void assertCollectedInOrder(Completions batch, List<Flight> flights) throws IOException {
        int next = 0;
        while (next < flights.size()) {
            int count = collect(batch, PATIENCE.toNanos());
            assertTrue(count > 0, "nothing comes");
            for (int i = 0; i < count; i++) {
                assertSame(flights.get(next++).operation(), batch.operation(i));
            }
        }
    }

    private Future<Integer> waitElsewhere(int capacity, long timeoutNanos) {
        return inBackground(() -> {
            try (Completions other = demultiplexer.newCompletions(capacity)) {
                return collect(other, timeoutNanos);
            }
        });
    }

    @Test
    void furtherCompletionsAreKept() throws Exception {
        List<Flight> more = holdIn(completions);
        assertEquals(0, finish(waitElsewhere(10, 10 * A_MOMENT)));
        assertEquals(1 + MORE, Peer.receive(pair.far(), 1 + MORE).length);
        assertEquals(MORE, demultiplexer.inFlight());
        more.forEach(flight -> assertTrue(flight.operation().isInFlight()));
        assertCollectedInOrder(completions, more);
        assertEquals(0, demultiplexer.inFlight());
    }

    /** A batch that is too small for all completions of a handle gets the rest in further waits. */
    @Test
    void completionsBeyondTheCapacityAreDeferred() throws Exception {
        Completions single = newBatch(1);
        List<Flight> more = holdIn(single);
        for (Flight flight : more) {
            assertEquals(0, finish(waitElsewhere(10, A_MOMENT)));
            assertCollectedInOrder(single, List.of(flight));
        }
    }

    @Test
    void closeReleasesDeferredCompletions() throws Exception {
        List<Flight> more;
        try (Completions held = demultiplexer.newCompletions(1)) {
            more = holdIn(held);
            assertNoCompletion();
        }
        assertCollectedInOrder(completions, more);
    }

    @Test
    void closeOfABatchEndsTheWaitOfAnotherThread() throws Exception {
        Completions held = newBatch(1);
        List<Flight> more = holdIn(held);
        Future<Integer> waiter = waitElsewhere(2 * MORE, FOREVER);
        assertNoCompletion();
        assertFalse(waiter.isDone());
        held.close();
        int count = finish(waiter);
        assertTrue(count > 0);
        assertCollectedInOrder(completions, more.subList(count, MORE));
    }

    @Test
    void anotherThreadClosesTheBatchOfATerminatedThread() throws Exception {
        Completions held = newBatch(1);
        List<Flight> more = new ArrayList<>();
        Thread ending = new Thread(() -> {
            try {
                more.addAll(holdIn(held));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        ending.start();
        ending.join(PATIENCE.toMillis());
        assertEquals(MORE, more.size());
        assertNoCompletion();
        held.close();
        assertCollectedInOrder(completions, more);
    }

    @Test
    void waitWithoutResultReleasesItsMemory() throws Exception {
        send(where, 1);
        assertEquals(1, collect(completions, PATIENCE.toNanos()));
        assertNoCompletion();
        List<Flight> more = sendMore();
        assertCollectedInOrder(newBatch(2 * MORE), more);
    }

    @Test
    void deferredHandleDoesNotDelayOthers() throws Exception {
        List<Flight> more = holdIn(completions);
        StreamPair otherPair = pair(StreamKind.fastest());
        Association other = associate(otherPair.near());
        Completions single = newBatch(1);
        for (int i = 0; i < MORE; i++) {
            more.add(send(where, i));
            assertCollectedInOrder(single, List.of(send(other, i)));
            assertCollectedInOrder(single, List.of(start(o -> o.post(1))));
            assertCollectedInOrder(single, List.of(start(o -> o.timeout(1))));
        }
        assertCollectedInOrder(completions, more);
    }

    /** The thread collects one completion at a time, from a handle that always has more. */
    @Test
    void busyHandleDoesNotStarveOthers() throws Exception {
        StreamPair otherPair = pair(StreamKind.fastest());
        Association other = associate(otherPair.near());
        Completions single = newBatch(1);
        List<Flight> more = holdIn(single);
        Flight waiting = send(other, 1);
        for (int i = 0; !waiting.isDone(); i++) {
            assertTrue(i < MAX_BEFORE, "it waits forever");
            more.add(send(where, i));
            assertEquals(1, collect(single, PATIENCE.toNanos()));
        }
        collectAll(more);
    }

    @Test
    void threadsMayDeferDifferentHandles() throws Exception {
        StreamPair otherPair = pair(StreamKind.fastest());
        Association other = associate(otherPair.near());
        List<Flight> more = holdIn(completions);
        Completions batch = newBatch(1);
        Flight first = send(other, 1);
        assertCollectedInOrder(batch, List.of(first));
        Flight second = send(other, 2);
        Completions third = newBatch(10);
        assertEquals(0, collect(third, 10 * A_MOMENT));
        assertCollectedInOrder(batch, List.of(second));
        assertCollectedInOrder(completions, more);
    }

    @Test
    void theLastCompletionsOfAHandleAreKept() throws Exception {
        List<Flight> more = holdIn(completions);
        Flight receive = start(o -> o.receiveContinuously(where));
        where.end();
        Completions batch = newBatch(10);
        assertEquals(0, collect(batch, 10 * A_MOMENT));
        assertCancelled(receive);
        more.forEach(flight -> assertTrue(flight.isDone()));
    }

    @Test
    void shutdownEndsWhatIsKept() throws Exception {
        List<Flight> more = holdIn(completions);
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocate(1)));
        demultiplexer.shutdown();
        Completions batch = newBatch(10);
        assertEquals(0, collect(batch, 10 * A_MOMENT));
        assertEquals(MORE + 1, demultiplexer.inFlight());
        assertCancelled(receive);
        collectAll(more);
        assertEquals(0, demultiplexer.inFlight());
    }

    /** Accepted connections whose completions are never collected are closed, which the check after each test shows. */
    @Test
    void closeDiscardsDeferredCompletions() throws Exception {
        SocketAcceptor acceptor = own(StreamKind.fastest().listen(directory));
        Association listening = associate(acceptor.handle());
        Flight accept = start(o -> o.acceptContinuously(listening, acceptor));
        for (int i = 0; i < MORE; i++) {
            own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        }
        Completions single = newBatch(1);
        assertEquals(1, collect(single, PATIENCE.toNanos()));
        assertNotNull(single.get(0).stream());
        holdIn(completions);
        assertEquals(0, collect(newBatch(10), 10 * A_MOMENT));
        demultiplexer.close();
        assertEquals(0, demultiplexer.inFlight());
        assertFalse(accept.operation().isInFlight());
    }

    @Test
    void operationIsStartedAgainOnAHandleThatIsHeld() throws Exception {
        Flight send = send(where, 1);
        Completions batch = newBatch(1);
        for (int i = 0; i < 10; i++) {
            assertResult(1, send);
            send.start(o -> o.send(where, ByteBuffer.allocate(1), true));
            assertEquals(0, collect(batch, A_MOMENT));
        }
        assertFalse(Errno.ECANCELED.is(result(send)));
    }
}

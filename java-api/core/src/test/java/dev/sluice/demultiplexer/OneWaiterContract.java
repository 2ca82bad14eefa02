package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Only the loop thread may wait, and it may defer the completions of a handle. */
abstract class OneWaiterContract extends OperationContract {

    private static final int THREADS = 8;
    private static final int DEFERRED = 3;
    private static final int ROUNDS = Depth.times(100, 250, 2_500);

    OneWaiterContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Test
    void anotherThreadMayNotWait() throws Exception {
        assertFalse(demultiplexer.isMultiThreaded());
        collect(0);
        Future<Void> other = inBackground(() -> {
            assertThrows(IllegalStateException.class, () -> collect(0));
            return null;
        });
        finish(other);
        Flight post = start(o -> o.post(3));
        assertResult(3, post);
    }

    /** A thread whose wait is rejected must not disturb the loop thread. */
    @Test
    void refusedThreadsDoNotDisturbTheLoopThread() throws Exception {
        collect(0);
        List<Future<Void>> others = new ArrayList<>();
        AtomicInteger running = new AtomicInteger(THREADS);
        for (int i = 0; i < THREADS; i++) {
            others.add(inBackground(() -> {
                try (Completions batch = demultiplexer.newCompletions(1)) {
                    for (int round = 0; round < ROUNDS; round++) {
                        assertThrows(IllegalStateException.class, () -> demultiplexer.awaitCompletions(batch, 0));
                    }
                } finally {
                    running.decrementAndGet();
                }
                return null;
            }));
        }
        while (running.get() > 0) {
            collect(0);
        }
        for (Future<Void> other : others) {
            finish(other);
        }
    }

    /** Makes a batch defer all completions of a handle but the first. */
    private List<Flight> deferred(Completions batch, int count) throws IOException {
        Association where = associate(pair(StreamKind.fastest()).near());
        Flight first = send(where);
        assertEquals(1, collect(batch, PATIENCE.toNanos()));
        assertTrue(first.isDone());
        List<Flight> more = new ArrayList<>();
        more.add(send(where));
        // The first operations may have completed earlier.
        batch.defer(0);
        assertTrue(batch.isDeferred(0));
        while (more.size() < count) {
            more.add(send(where));
        }
        return more;
    }

    private Flight send(Association where) {
        return start(o -> o.send(where, ByteBuffer.allocate(1), true));
    }

    private void assertCollectedInOrder(List<Flight> flights) throws IOException {
        List<Operation> operations = new ArrayList<>();
        while (operations.size() < flights.size()) {
            assertTrue(collect(PATIENCE.toNanos()) > 0, "nothing comes");
            for (int i = 0; i < completions.size(); i++) {
                operations.add(completions.operation(i));
            }
        }
        for (int i = 0; i < flights.size(); i++) {
            assertSame(flights.get(i).operation(), operations.get(i));
        }
    }

    @Test
    void releaseBringsDeferredCompletionsFirst() throws Exception {
        Completions batch = newBatch(1);
        List<Flight> flights = deferred(batch, DEFERRED);
        Flight post = start(o -> o.post(1));
        assertResult(1, post);
        assertNoCompletion();
        Flight later = start(o -> o.post(2));
        batch.release(0);
        assertFalse(batch.isDeferred(0));
        flights.add(later);
        assertCollectedInOrder(flights);
    }

    @Test
    void handlesAreReleasedInAnyOrder() throws Exception {
        Completions first = newBatch(1);
        Completions second = newBatch(1);
        List<Flight> ofFirst = deferred(first, DEFERRED);
        List<Flight> ofSecond = deferred(second, DEFERRED);
        assertNoCompletion();
        first.release(0);
        assertCollectedInOrder(ofFirst);
        assertNoCompletion();
        second.release(0);
        assertCollectedInOrder(ofSecond);
    }

    @Test
    void oneBatchDefersSeveralHandles() throws Exception {
        List<Association> handles = new ArrayList<>();
        for (int i = 0; i < DEFERRED; i++) {
            handles.add(associate(pair(StreamKind.fastest()).near()));
        }
        Completions batch = newBatch(DEFERRED);
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<Flight> firsts = sendOnEach(handles);
        while (collect(batch, PATIENCE.toNanos()) < DEFERRED) {
            assertTrue(System.nanoTime() - end < 0, "they never complete together");
            collectAll(firsts);
            firsts = sendOnEach(handles);
        }
        for (int i = 0; i < DEFERRED; i++) {
            batch.defer(i);
        }
        List<Flight> flights = sendOnEach(handles);
        assertNoCompletion();
        for (int i : new int[] {1, 0, 2}) {
            Operation first = batch.operation(i);
            batch.release(i);
            int handle = firsts.stream().map(Flight::operation).toList().indexOf(first);
            assertCollectedInOrder(List.of(flights.get(handle)));
            assertNoCompletion();
        }
    }

    private List<Flight> sendOnEach(List<Association> handles) {
        List<Flight> flights = new ArrayList<>();
        for (Association handle : handles) {
            flights.add(send(handle));
        }
        return flights;
    }

    @Test
    void closeReleasesDeferredCompletions() throws Exception {
        List<Flight> flights;
        try (Completions batch = demultiplexer.newCompletions(1)) {
            flights = deferred(batch, DEFERRED);
            assertNoCompletion();
        }
        assertCollectedInOrder(flights);
    }
}

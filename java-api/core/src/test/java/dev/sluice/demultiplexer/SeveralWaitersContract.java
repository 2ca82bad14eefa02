package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads wait concurrently, if the demultiplexer supports it. */
abstract class SeveralWaitersContract extends OperationContract {

    private static final int WAITERS = 4;
    private static final int STARTERS = 4;
    private static final int EACH = Depth.times(100, 500, 1_000);
    private static final int CONNECTIONS = 8;
    private static final int ROUNDS = CalledSystem.times(Depth.times(10, 40, 100));
    private static final long AN_HOUR = 3_600_000_000_000L;

    private final AtomicInteger left = new AtomicInteger();

    SeveralWaitersContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    /** Processes a completion, in the thread that collected it. */
    private interface Collector {
        void collected(Completions batch, int index) throws Exception;
    }

    /** Starts threads that collect completions until the given number of last ones have been collected. */
    private List<Future<Void>> collectInBackground(int expected, int capacity, Collector collector) {
        left.set(expected);
        List<Future<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(inBackground(() -> {
                try (Completions batch = demultiplexer.newCompletions(capacity)) {
                    collectAll(batch, collector);
                }
                // Each wake-up ends one thread, which wakes the next.
                demultiplexer.wakeUp();
                return null;
            }));
        }
        return waiters;
    }

    private void collectAll(Completions batch, Collector collector) throws Exception {
        while (left.get() > 0) {
            demultiplexer.awaitCompletions(batch, FOREVER);
            for (int i = 0; i < batch.size(); i++) {
                collector.collected(batch, i);
                if (batch.get(i).isLast()) {
                    left.decrementAndGet();
                }
            }
        }
    }

    private static void finishAll(List<Future<Void>> tasks) throws Exception {
        for (Future<Void> task : tasks) {
            finish(task);
        }
    }

    private List<AtomicInteger> counters(int count) {
        List<AtomicInteger> counters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            counters.add(new AtomicInteger());
        }
        return counters;
    }

    private static void count(Completions batch, int index) {
        ((AtomicInteger) batch.get(index).token()).incrementAndGet();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void eachCompletionGoesToOne(int capacity) throws Exception {
        List<AtomicInteger> counters = counters(STARTERS * EACH);
        List<Future<Void>> waiters = collectInBackground(counters.size(), capacity, SeveralWaitersContract::count);
        List<Future<Void>> starters = new ArrayList<>();
        for (int i = 0; i < STARTERS; i++) {
            int first = i * EACH;
            starters.add(inBackground(() -> {
                for (int j = first; j < first + EACH; j++) {
                    Operation operation = demultiplexer.newOperation();
                    operation.claim(null, counters.get(j));
                    if (j % 2 == 0) {
                        operation.post(1);
                    } else {
                        operation.timeout(1_000);
                    }
                }
                return null;
            }));
        }
        finishAll(starters);
        finishAll(waiters);
        for (AtomicInteger counter : counters) {
            assertEquals(1, counter.get());
        }
        assertEquals(0, demultiplexer.inFlight());
    }

    @Test
    void supportsSeveralWaitingThreads() {
        assertTrue(demultiplexer.isMultiThreaded());
    }

    /** The thread that gets a completion starts the connection's next operation, as in a pool of threads. */
    @Test
    void connectionsAreServedByAllWaiters() throws Exception {
        List<StreamPair> pairs = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        List<Echo> echoes = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            StreamPair pair = pair(StreamKind.TCP);
            pairs.add(pair);
            Echo echo = new Echo(associate(pair.near()));
            echoes.add(echo);
            operations.add(demultiplexer.newOperation());
        }
        List<Future<Void>> waiters = collectInBackground(Integer.MAX_VALUE, 4, SeveralWaitersContract::echo);
        for (int i = 0; i < CONNECTIONS; i++) {
            echoes.get(i).receive(operations.get(i));
        }
        byte[] content = Bytes.random(1_000);
        for (int round = 0; round < ROUNDS; round++) {
            for (StreamPair pair : pairs) {
                Peer.send(pair.far(), content);
            }
            for (StreamPair pair : pairs) {
                assertArrayEquals(content, Peer.receive(pair.far(), content.length));
            }
        }
        left.set(0);
        demultiplexer.wakeUp();
        finishAll(waiters);
    }

    private static void echo(Completions batch, int index) {
        ((Echo) batch.get(index).token()).completed(batch.operation(index), batch.result(index));
    }

    /** Sends back what it receives. */
    private record Echo(Association where, ByteBuffer buffer) {

        Echo(Association where) {
            this(where, ByteBuffer.allocateDirect(100));
        }

        void receive(Operation operation) {
            operation.claim(null, this);
            operation.receive(where, buffer.clear());
        }

        void completed(Operation operation, long result) {
            assertTrue(result > 0, () -> operation.error(result).getMessage());
            if (operation.type() == OperationType.RECEIVE) {
                operation.claim(null, this);
                operation.send(where, buffer.flip(), true);
            } else {
                receive(operation);
            }
        }
    }

    @Test
    void aContinuousReceiveLosesNothing() throws Exception {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        byte[] content = Bytes.random(1_000_000);
        AtomicInteger received = new AtomicInteger();
        Operation operation = demultiplexer.newOperation();
        List<Future<Void>> waiters = collectInBackground(1, 2, (batch, i) -> {
            if (batch.get(i).buffer() != null) {
                received.addAndGet(batch.get(i).buffer().bytes().remaining());
            }
        });
        operation.receiveContinuously(where);
        Peer.send(pair.far(), content);
        pair.far().close();
        finishAll(waiters);
        assertEquals(content.length, received.get());
    }

    @Test
    void eachWakeUpEndsAWait() throws Exception {
        AtomicInteger returned = new AtomicInteger();
        List<Future<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(inBackground(() -> {
                try (Completions batch = demultiplexer.newCompletions(1)) {
                    assertEquals(0, demultiplexer.awaitCompletions(batch, FOREVER));
                }
                returned.incrementAndGet();
                return null;
            }));
        }
        for (int i = 1; i <= WAITERS; i++) {
            int expected = i;
            demultiplexer.wakeUp();
            DemultiplexerContract.until("the return of waiter " + i, () -> returned.get() >= expected);
            assertEquals(expected, returned.get());
        }
        finishAll(waiters);
    }

    @Test
    void closeEndsAllWaits() throws Exception {
        StreamPair pair = pair(StreamKind.TCP);
        Operation receive = demultiplexer.newOperation();
        receive.receive(associate(pair.near()), ByteBuffer.allocateDirect(1));
        demultiplexer.newOperation().timeout(AN_HOUR);
        CountDownLatch waiting = new CountDownLatch(WAITERS);
        List<Future<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(inBackground(() -> {
                try (Completions batch = demultiplexer.newCompletions(1)) {
                    waiting.countDown();
                    assertThrows(HandleClosedException.class, () -> demultiplexer.awaitCompletions(batch, FOREVER));
                }
                return null;
            }));
        }
        assertTrue(waiting.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        demultiplexer.close();
        finishAll(waiters);
        assertFalse(receive.isInFlight());
        assertEquals(0, demultiplexer.inFlight());
    }

    /** The thread that would have woken up for the deadline is busy when it is reached. */
    @Test
    void anotherWaiterTakesOverADeadline() throws Exception {
        CountDownLatch timeIsOver = new CountDownLatch(1);
        AtomicInteger posts = new AtomicInteger();
        List<Future<Void>> waiters = collectInBackground(WAITERS, 1, (batch, i) -> {
            if (batch.operation(i).type() == OperationType.TIMEOUT) {
                timeIsOver.countDown();
            } else {
                posts.incrementAndGet();
                assertTrue(timeIsOver.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "no thread saw the deadline");
            }
        });
        demultiplexer.newOperation().timeout(10 * A_MOMENT);
        for (int i = 1; i < WAITERS; i++) {
            demultiplexer.newOperation().post(i);
        }
        finishAll(waiters);
        assertEquals(WAITERS - 1, posts.get());
    }

    @Test
    void anOrderedStreamIsSentByManyThreads() throws Exception {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        List<Future<Void>> waiters = collectInBackground(EACH, 4,
                (batch, i) -> assertTrue(batch.result(i) > 0, () -> "sent " + batch.operation(0)));
        for (int i = 0; i < EACH; i++) {
            byte[] content = Bytes.random(1 + i % 97);
            expected.writeBytes(content);
            demultiplexer.newOperation().send(where, ByteBuffer.wrap(content), true);
        }
        assertArrayEquals(expected.toByteArray(), Peer.receive(pair.far(), expected.size()));
        finishAll(waiters);
    }
}

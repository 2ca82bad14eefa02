package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads serve many connections, but never two of them the same connection. */
abstract class HoldStressContract extends OperationContract {

    private static final int WAITERS = 4;
    private static final int CONNECTIONS = 8;
    private static final int BYTES = CalledSystem.times(Depth.times(10_000, 20_000, 60_000));
    /** A period that divides no buffer size, so that bytes out of order are detected. */
    private static final int PERIOD = 251;

    private final AtomicInteger open = new AtomicInteger();

    HoldStressContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    /** The state of a connection. Only {@link #taken} may be accessed by several threads concurrently. */
    private final class Connection {

        private final AtomicBoolean taken = new AtomicBoolean();
        private final Association where;
        private final ByteBuffer answer = ByteBuffer.allocateDirect(1);
        private final Operation send = demultiplexer.newOperation();
        private int received;
        private int answered;
        private boolean sending;
        private boolean ended;

        Connection(Association where) {
            this.where = where;
        }

        void completed(Completions batch, int index) {
            long result = batch.result(index);
            assertTrue(result >= 0, () -> batch.operation(index).error(result).getMessage());
            if (batch.operation(index) == send) {
                sending = false;
            } else if (batch.get(index).isLast()) {
                assertEquals(BYTES, received);
                ended = true;
            } else {
                ByteBuffer bytes = batch.get(index).buffer().bytes();
                while (bytes.hasRemaining()) {
                    assertEquals((byte) (received++ % PERIOD), bytes.get());
                }
            }
            if (!sending && answered < received) {
                answer();
            } else if (!sending && ended) {
                open.decrementAndGet();
            }
        }

        /** The send mostly completes while the handler is still busy. */
        private void answer() {
            sending = true;
            answered = received;
            send.claim(null, this);
            send.send(where, answer.clear(), true);
        }
    }

    private Void serve(int capacity) throws IOException {
        Set<Connection> mine = new HashSet<>();
        try (Completions batch = demultiplexer.newCompletions(capacity)) {
            while (open.get() > 0) {
                demultiplexer.awaitCompletions(batch, FOREVER);
                for (int i = 0; i < batch.size(); i++) {
                    Connection connection = (Connection) batch.get(i).token();
                    if (mine.add(connection)) {
                        assertTrue(connection.taken.compareAndSet(false, true), "two threads at one handle");
                    }
                    connection.completed(batch, i);
                    if (i % 7 == 0) {
                        Thread.yield();
                    }
                }
                mine.forEach(connection -> connection.taken.set(false));
                mine.clear();
            }
        } catch (Throwable e) {
            open.set(0);
            throw e;
        } finally {
            // Each wake-up ends one thread, which wakes the next.
            demultiplexer.wakeUp();
        }
        return null;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64})
    void bytesAreDeliveredInOrderToOneThreadAtATime(int capacity) throws Exception {
        List<StreamPair> pairs = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            StreamPair pair = pair(StreamKind.fastest());
            pairs.add(pair);
            Connection connection = new Connection(associate(pair.near()));
            Operation receive = demultiplexer.newOperation();
            receive.claim(null, connection);
            receive.receiveContinuously(connection.where);
        }
        open.set(CONNECTIONS);
        List<Future<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(inBackground(() -> serve(capacity)));
        }
        List<Future<Integer>> answers = new ArrayList<>();
        for (StreamPair pair : pairs) {
            answers.add(inBackground(() -> Peer.receiveAll(pair.far()).length));
        }
        Future<Void> sender = inBackground(() -> sendNumbered(pairs));
        for (Future<Void> waiter : waiters) {
            finish(waiter);
        }
        finish(sender);
        assertEquals(0, demultiplexer.inFlight());
        pairs.forEach(pair -> pair.near().close());
        for (Future<Integer> answer : answers) {
            assertTrue(finish(answer) > 0);
        }
    }

    private static Void sendNumbered(List<StreamPair> pairs) throws IOException {
        Random random = new Random(42);
        int[] sent = new int[pairs.size()];
        for (int left = pairs.size() * BYTES; left > 0; ) {
            int to = random.nextInt(pairs.size());
            byte[] piece = new byte[Math.min(1 + random.nextInt(3_000), BYTES - sent[to])];
            for (int i = 0; i < piece.length; i++) {
                piece[i] = (byte) (sent[to]++ % PERIOD);
            }
            Peer.send(pairs.get(to).far(), piece);
            left -= piece.length;
        }
        for (StreamPair pair : pairs) {
            pair.far().shutdownOutput();
        }
        return null;
    }
}

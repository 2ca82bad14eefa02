package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.Bytes;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A buffer belongs to its operation from the start to the completion: it stays reachable, and is not accessed
 * afterwards.
 */
abstract class BufferOwnershipContract extends OperationContract {

    private static final byte PATTERN = 0x5A;
    private static final int SIZE = 8 * 1024;
    private static final int ROUNDS = 200;
    private static final int FORGOTTEN = 50;

    BufferOwnershipContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private static ByteBuffer newBuffer(boolean direct) {
        return direct ? ByteBuffer.allocateDirect(SIZE) : ByteBuffer.allocate(SIZE);
    }

    private static void paint(ByteBuffer buffer) {
        byte[] pattern = new byte[buffer.capacity()];
        Arrays.fill(pattern, PATTERN);
        buffer.clear().put(pattern).clear();
    }

    private static void assertPainted(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            int index = i;
            assertEquals(PATTERN, buffer.get(i), () -> "touched after the completion, at " + index);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void completedReceiveDoesNotAccessItsBuffer(boolean direct) throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        ByteBuffer first = newBuffer(direct);
        ByteBuffer second = newBuffer(direct);
        Flight receive = flight();
        paint(second);
        for (int round = 0; round < ROUNDS; round++) {
            ByteBuffer active = round % 2 == 0 ? first : second;
            ByteBuffer passive = round % 2 == 0 ? second : first;
            receive.start(o -> o.receive(where, active.clear()));
            Peer.send(pair.far(), Bytes.random(1 + round * 31));
            result(receive);
            while (active.position() < 1 + round * 31) {
                result(receive.start(o -> o.receive(where, active)));
            }
            assertPainted(passive);
            paint(active);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cancelledReceiveDoesNotAccessItsBuffer(boolean direct) throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        ByteBuffer cancelled = newBuffer(direct);
        Flight receive = start(o -> o.receive(where, cancelled));
        assertNoCompletion();
        receive.operation().cancel();
        assertCancelled(receive);
        paint(cancelled);
        Peer.send(pair.far(), Bytes.random(SIZE));
        assertNoCompletion();
        result(start(o -> o.receive(where, newBuffer(direct))));
        assertPainted(cancelled);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closedDemultiplexerAccessesNoBuffer(boolean direct) throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        ByteBuffer buffer = newBuffer(direct);
        Flight receive = start(o -> o.receive(where, buffer));
        assertNoCompletion();
        demultiplexer.close();
        paint(buffer);
        Peer.send(pair.far(), Bytes.random(SIZE));
        assertArrayEquals(Bytes.random(SIZE), Peer.receive(pair.near(), SIZE));
        assertPainted(buffer);
        assertTrue(!receive.operation().isInFlight());
    }

    /** Changing the buffer must not change bytes that are still in transit. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void completedSendDoesNotAccessItsBuffer(boolean direct) throws Exception {
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        ByteBuffer buffer = newBuffer(direct);
        Flight send = flight();
        byte[] expected = new byte[ROUNDS * SIZE];
        var receiver = inBackground(() -> Peer.receive(pair.far(), expected.length));
        for (int round = 0; round < ROUNDS; round++) {
            byte[] content = Bytes.random(SIZE - round);
            System.arraycopy(content, 0, expected, round * SIZE, content.length);
            Arrays.fill(expected, round * SIZE + content.length, (round + 1) * SIZE, PATTERN);
            paint(buffer);
            buffer.put(content).clear();
            assertResult(SIZE, send.start(o -> o.send(where, buffer, true)));
            paint(buffer);
        }
        assertArrayEquals(expected, finish(receiver));
    }

    /** Reached only through the completion, because the test keeps no reference. */
    private static final class Forgotten {

        private final int number;
        private WeakReference<ByteBuffer> buffer;
        private WeakReference<Operation> operation;

        Forgotten(int number) {
            this.number = number;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void buffersAndOperationsInFlightAreNotCollected(boolean sliced) throws IOException {
        List<StreamPair> pairs = new ArrayList<>();
        List<Forgotten> all = new ArrayList<>();
        for (int i = 0; i < FORGOTTEN; i++) {
            pairs.add(pair(StreamKind.fastest()));
            all.add(receiveAndForget(pairs.get(i), i, sliced));
        }
        assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        List<ByteBuffer> others = collectGarbage();
        for (int i = 0; i < FORGOTTEN; i++) {
            assertNotNull(all.get(i).buffer.get(), "the buffer was collected");
            assertNotNull(all.get(i).operation.get(), "the operation was collected");
        }
        // Strongly, because the completion releases them.
        List<ByteBuffer> buffers = new ArrayList<>();
        all.forEach(forgotten -> buffers.add(forgotten.buffer.get()));
        for (int i = 0; i < FORGOTTEN; i++) {
            Peer.send(pairs.get(i).far(), Bytes.random(100 + i));
        }
        int left = FORGOTTEN;
        while (left > 0) {
            int count = demultiplexer.awaitCompletions(completions, PATIENCE.toNanos());
            assertTrue(count > 0, "nothing completes");
            for (int i = 0; i < count; i++, left--) {
                int number = ((Forgotten) completions.get(i).token()).number;
                assertEquals(100 + number, completions.result(i));
                assertArrayEquals(Bytes.random(100 + number), Bytes.before(buffers.get(number)));
            }
        }
        others.forEach(BufferOwnershipContract::assertPainted);
    }

    private Forgotten receiveAndForget(StreamPair pair, int number, boolean sliced) throws IOException {
        Forgotten forgotten = new Forgotten(number);
        ByteBuffer whole = ByteBuffer.allocateDirect(SIZE);
        ByteBuffer buffer = sliced ? whole.slice(100, 1_000) : whole;
        Operation operation = demultiplexer.newOperation();
        operation.claim(null, forgotten);
        forgotten.buffer = new WeakReference<>(buffer);
        forgotten.operation = new WeakReference<>(operation);
        operation.receive(associate(pair.near()), buffer);
        return forgotten;
    }

    /** {@return new buffers, in memory that may have been freed by the collection} */
    private static List<ByteBuffer> collectGarbage() {
        List<ByteBuffer> others = new ArrayList<>();
        WeakReference<Object> witness = new WeakReference<>(new Object());
        for (int i = 0; i < 2 || witness.get() != null; i++) {
            System.gc();
            for (int j = 0; j < 2 * FORGOTTEN; j++) {
                ByteBuffer other = ByteBuffer.allocateDirect(SIZE);
                paint(other);
                others.add(other);
            }
        }
        return others;
    }
}

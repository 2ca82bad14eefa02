package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.Bytes;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Four provided buffers for all receives, which wait for a buffer and continue once one is released. */
@Tag(Depth.TRANSFER)
public abstract class ScarceProvidedBufferContract extends OperationContract {

    private static final int BUFFERS = 4;
    private static final int ROUNDS = 200;
    private static final int MUCH = 1_000_000;
    /** More than the buffers hold, and less than a connection does. */
    private static final int ENOUGH = 50_000;

    private final List<RetainedBuffer> kept = new ArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    protected ScarceProvidedBufferContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Override
    final AsynchronousEventDemultiplexer open() throws IOException {
        return openSmall();
    }

    private Future<Void> sendInBackground(StreamPair pair, byte[] content) {
        return inBackground(() -> {
            Peer.send(pair.far(), content);
            pair.far().shutdownOutput();
            return null;
        });
    }

    private Flight receiveAndKeep(Association where) {
        return flight().onBuffer(buffer -> kept.add(buffer.retain())).start(o -> o.receiveContinuously(where));
    }

    private Flight exhaust(StreamPair pair, byte[] content) throws IOException {
        Association where = associate(pair.near());
        Flight receive = receiveAndKeep(where);
        sendInBackground(pair, content);
        collectUntil("all buffers are kept", () -> kept.size() == BUFFERS);
        return receive;
    }

    private void release(RetainedBuffer buffer) {
        byte[] content = new byte[buffer.bytes().remaining()];
        buffer.bytes().get(content);
        bytes.writeBytes(content);
        buffer.close();
    }

    private void releaseFirst() {
        release(kept.remove(0));
    }

    @Test
    void unretainedBuffersAreReleased() throws Exception {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        Flight receive = start(o -> o.receiveContinuously(where));
        byte[] content = Bytes.random(MUCH);
        Future<Void> sender = sendInBackground(pair, content);
        assertResult(0, receive);
        finish(sender);
        assertBytes(content, receive.received());
        assertTrue(receive.partial() >= MUCH / (BUFFERS * 4096));
    }

    @Test
    void receiveWaitsWhileAllAreKeptAndGoesOnWithOne() throws IOException {
        byte[] content = Bytes.random(MUCH);
        Flight receive = exhaust(pair(StreamKind.TCP), content);
        assertNoCompletion();
        assertTrue(receive.operation().isInFlight());
        while (!receive.isDone()) {
            while (!kept.isEmpty()) {
                releaseFirst();
            }
            collect(PATIENCE.toNanos());
        }
        kept.forEach(this::release);
        assertResult(0, receive);
        assertBytes(content, bytes.toByteArray());
    }

    /** Only the release wakes the loop thread. */
    @Test
    void releaseByAnotherThreadResumesTheReceive() throws Exception {
        byte[] content = Bytes.random(MUCH / 4);
        Flight receive = exhaust(pair(StreamKind.TCP), content);
        while (!receive.isDone()) {
            List<RetainedBuffer> lent = new ArrayList<>(kept);
            kept.clear();
            Future<Void> releaser = inBackground(() -> {
                lent.forEach(this::release);
                return null;
            });
            while (kept.size() < BUFFERS && !receive.isDone()) {
                collect(PATIENCE.toNanos());
            }
            finish(releaser);
        }
        kept.forEach(this::release);
        assertBytes(content, bytes.toByteArray());
    }

    /**
     * A buffer that has been retained, closed and filled again belongs to the completions that have delivered it last.
     */
    @Test
    void reusedBufferIsNotReleasedByItsEarlierCompletion() throws IOException {
        StreamPair one = pair(StreamKind.fastest());
        Association first = associate(one.near());
        List<ProvidedBuffer> seen = new ArrayList<>();
        flight().onBuffer(buffer -> {
            seen.add(buffer);
            kept.add(buffer.retain());
        }).start(o -> o.receiveContinuously(first));
        Peer.send(one.far(), (byte) 1);
        collectUntil("a byte", () -> kept.size() == 1);
        ProvidedBuffer before = seen.remove(0);
        kept.remove(0).close();
        StreamPair other = pair(StreamKind.fastest());
        Association where = associate(other.near());
        flight().onBuffer(seen::add).start(o -> o.receiveContinuously(where));
        Completions others = newBatch(1);
        for (int round = 0; round < ROUNDS && !seen.contains(before); round++) {
            seen.clear();
            Peer.send(other.far(), (byte) 2);
            while (seen.isEmpty()) {
                collect(others, PATIENCE.toNanos());
            }
        }
        assertTrue(seen.contains(before), "not used again");
        completions.clear();
        // Throws if the buffer has been released.
        before.retain().close();
    }

    @Test
    void oneConnectionsBuffersComeBackToAnother() throws IOException {
        Flight first = exhaust(pair(StreamKind.fastest()), Bytes.random(BUFFERS * 4096));
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight second = start(o -> o.receiveContinuously(where));
        Peer.send(pair.far(), (byte) 1);
        collect(A_MOMENT);
        assertEquals(0, second.partial());
        kept.forEach(this::release);
        kept.clear();
        collectUntil("the other's byte", () -> second.receivedCount() == 1);
        assertEquals(BUFFERS * 4096, bytes.size());
        collectUntil("the end of the first", first::isDone);
    }

    @Test
    void receiveThatWaitsForBuffersDoesNotBlockOthers() throws IOException {
        exhaust(pair(StreamKind.fastest()), Bytes.random(ENOUGH));
        StreamPair other = pair(StreamKind.fastest());
        Association where = associate(other.near());
        for (int i = 0; i < ROUNDS; i++) {
            Flight receive = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
            Peer.send(other.far(), (byte) 1);
            assertResult(1, receive);
        }
        kept.forEach(this::release);
    }

    @Test
    void receiveThatWaitsForThemIsCancelled() throws IOException {
        Flight receive = exhaust(pair(StreamKind.fastest()), Bytes.random(ENOUGH));
        assertNoCompletion();
        receive.operation().cancel();
        assertCancelled(receive);
        kept.forEach(this::release);
    }

    /** A wait without a timeout must not poll for buffers in a loop. */
    @Test
    void waitingForThemDoesNotSpin() throws IOException {
        exhaust(pair(StreamKind.fastest()), Bytes.random(ENOUGH));
        collectReady();
        ThreadTime.assertSleeps(10 * A_MOMENT, nanos -> {
            long cpuBefore = ThreadTime.ofCurrentThread();
            assertEquals(0, collect(nanos));
            return ThreadTime.ofCurrentThread() - cpuBefore;
        });
        kept.forEach(this::release);
    }

    /** A buffer that a cancelled receive had chosen is not lost. */
    @Test
    void cancellationsLoseNone() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight receive = flight();
        for (int round = 0; round < ROUNDS; round++) {
            receive.start(o -> o.receiveContinuously(where));
            if (round % 2 == 0) {
                collect(0);
            }
            Peer.send(pair.far(), (byte) round);
            receive.operation().cancel();
            assertCancelled(receive);
        }
        pair.near().close();
        collectReady();
        exhaust(pair(StreamKind.fastest()), Bytes.random(ENOUGH));
        kept.forEach(this::release);
    }

    @Test
    void closedHandlesLoseNoCompletion() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            try (StreamPair pair = StreamKind.fastest().connect()) {
                Association where = associate(pair.near());
                Flight receive = start(o -> o.receiveContinuously(where));
                collect(0);
                Peer.send(pair.far(), (byte) round);
                pair.near().close();
                assertCancelled(receive);
            }
        }
        exhaust(pair(StreamKind.fastest()), Bytes.random(ENOUGH));
        kept.forEach(this::release);
    }

    @Test
    void keptOneOutlivesItsConnection() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        receiveAndKeep(where);
        Peer.send(pair.far(), (byte) 42);
        collectUntil("a byte", () -> kept.size() == 1);
        where.end();
        pair.close();
        collectReady();
        releaseFirst();
        assertBytes(new byte[] {42}, bytes.toByteArray());
    }
}

package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receiving continuously into the demultiplexer's own buffers. */
@Tag(Depth.TRANSFER)
public abstract class ProvidedBufferContract extends OperationContract {

    private static final int ROUNDS = 200;
    /** Default of the bytes that one connection may retain. */
    private static final int SHARE = 2 << 20;
    /** Upper bound: receives before the pause may exceed the share, on a busy machine by all large buffers. */
    private static final int MAX_RETAINED = SHARE + (16 << 20);
    private static final int MORE_THAN_THEY_HOLD = 24 << 20;
    private static final int MUCH = 4 << 20;
    /** More small messages than a connection must receive to get small buffers. */
    private static final int LITTLE = 100;
    private static final int LARGE_PIECE = 128 * 1024;

    protected ProvidedBufferContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private Flight receive(StreamPair pair) throws IOException {
        Association where = associate(pair.near());
        return start(o -> o.receiveContinuously(where));
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void receivesAllBytesUntilTheEndOfTheStream(StreamKind kind) throws Exception {
        StreamPair pair = pair(kind);
        Flight receive = receive(pair);
        byte[] content = Bytes.random(1_000_000);
        var sender = inBackground(() -> {
            Peer.send(pair.far(), content);
            pair.far().shutdownOutput();
            return null;
        });
        assertResult(0, receive);
        finish(sender);
        assertBytes(content, receive.received());
        assertTrue(receive.partial() > 0);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void deliversEachArrivalWithoutWaitingForMore(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Flight receive = receive(pair);
        assertNoCompletion();
        for (int i = 1; i <= ROUNDS; i++) {
            int expected = i;
            Peer.send(pair.far(), (byte) i);
            collectUntil("arrival " + i, () -> receive.receivedCount() == expected);
        }
        assertEquals(ROUNDS, receive.partial());
        assertTrue(receive.operation().isInFlight());
    }

    @Test
    void endOfTheStreamAtOnceIsTheOnlyCompletion() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        pair.far().close();
        Flight receive = receive(pair);
        assertResult(0, receive);
        assertEquals(0, receive.partial());
    }

    @Test
    void resetIsTheLastCompletion() throws IOException {
        assumeErrorsAreLeft();
        StreamPair pair = pair(StreamKind.TCP);
        Flight receive = receive(pair);
        Peer.send(pair.far(), (byte) 1);
        collectUntil("a byte", () -> receive.receivedCount() == 1);
        Peer.reset(pair.far());
        assertFails(Errno.ECONNRESET, receive);
    }

    @Test
    void failureNamesCallErrorAndSubject() throws IOException {
        assumeErrorsAreLeft();
        StreamPair pair = pair(StreamKind.TCP);
        Flight receive = receive(pair);
        Peer.reset(pair.far());
        assertFails(Errno.ECONNRESET, receive);
        String message = receive.operation().error(receive.result()).getMessage();
        assertTrue(message.startsWith("recv ") && message.contains("ECONNRESET")
                && message.contains(pair.near().toString()), message);
    }

    @Test
    void cancelledMayStartAgain() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        Flight receive = start(o -> o.receiveContinuously(where));
        assertNoCompletion();
        receive.operation().cancel();
        assertCancelled(receive);
        Peer.send(pair.far(), (byte) 1);
        assertNoCompletion();
        receive.start(o -> o.receiveContinuously(where));
        collectUntil("the byte", () -> receive.receivedCount() == 1);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void cancelledReceiveLosesNoBytes(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        Flight receive = flight();
        byte[] expected = new byte[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            expected[round] = (byte) round;
            receive.start(o -> o.receiveContinuously(where));
            if (round % 2 == 0) {
                collect(0);
            }
            Peer.send(pair.far(), (byte) round);
            receive.operation().cancel();
            assertCancelled(receive);
        }
        pair.far().shutdownOutput();
        assertResult(0, receive.start(o -> o.receiveContinuously(where)));
        assertBytes(expected, receive.received());
    }

    @Test
    void retainedBufferStaysAsItIs() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        List<RetainedBuffer> kept = new ArrayList<>();
        Flight receive = flight().onBuffer(buffer -> kept.add(buffer.retain()));
        receive.start(o -> o.receiveContinuously(where));
        byte[] content = Bytes.random(100);
        Peer.send(pair.far(), content);
        collectUntil("the bytes", () -> !kept.isEmpty());
        ByteBuffer bytes = kept.get(0).bytes();
        assertSame(bytes, kept.get(0).bytes());
        receive.onBuffer(buffer -> { });
        for (int i = 0; i < ROUNDS; i++) {
            int arrivals = receive.partial() + 1;
            Peer.send(pair.far(), Bytes.random(i + 1));
            collectUntil("more bytes", () -> receive.partial() >= arrivals);
        }
        byte[] now = new byte[100];
        bytes.get(now);
        assertBytes(content, now);
        kept.get(0).close();
    }

    @Test
    void bufferIsRetainedAndClosedOnceEach() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        List<ProvidedBuffer> seen = new ArrayList<>();
        List<RetainedBuffer> kept = new ArrayList<>();
        Flight receive = flight().onBuffer(buffer -> {
            kept.add(buffer.retain());
            assertThrows(IllegalStateException.class, buffer::retain, "retained already");
            assertThrows(IllegalStateException.class, buffer::bytes, "belongs to the new owner");
            seen.add(buffer);
        });
        receive.start(o -> o.receiveContinuously(where));
        Peer.send(pair.far(), (byte) 1);
        collectUntil("a byte", () -> seen.size() == 1);
        RetainedBuffer sent = kept.get(0).moved();
        assertThrows(IllegalStateException.class, kept.get(0)::close, "sent");
        assertThrows(IllegalStateException.class, kept.get(0)::bytes, "sent");
        sent.close();
        assertThrows(IllegalStateException.class, sent::close, "closed already");
        assertThrows(IllegalStateException.class, kept.get(0)::close, "closed already");
        assertThrows(IllegalStateException.class, kept.get(0)::bytes, "closed already");
        assertThrows(IllegalStateException.class, seen.get(0)::retain, "gone back");
    }

    @Test
    void unretainedBufferIsReleasedByTheNextWait() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        List<ProvidedBuffer> seen = new ArrayList<>();
        Flight receive = flight().onBuffer(seen::add);
        receive.start(o -> o.receiveContinuously(where));
        Peer.send(pair.far(), (byte) 1);
        collectUntil("a byte", () -> seen.size() == 1);
        collect(0);
        assertThrows(IllegalStateException.class, seen.get(0)::retain);
        assertThrows(IllegalStateException.class, seen.get(0)::bytes);
    }

    /** As in a hook that runs the loop: its thread waits with other completions until the hook returns. */
    @Test
    void bufferIsUnchangedDuringWaitsWithOthers() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        StreamPair other = pair(StreamKind.fastest());
        List<ProvidedBuffer> seen = new ArrayList<>();
        Association where = associate(pair.near());
        flight().onBuffer(seen::add).start(o -> o.receiveContinuously(where));
        Flight others = receive(other);
        byte[] content = Bytes.random(100);
        Peer.send(pair.far(), content);
        collectUntil("the bytes", () -> !seen.isEmpty());
        Completions inner = newBatch(1);
        for (int i = 1; i <= ROUNDS; i++) {
            int expected = i;
            Peer.send(other.far(), (byte) i);
            while (others.receivedCount() < expected) {
                collect(inner, PATIENCE.toNanos());
            }
        }
        RetainedBuffer kept = seen.get(0).retain();
        collect(0);
        byte[] now = new byte[content.length];
        kept.bytes().get(now);
        assertBytes(content, now);
        kept.close();
    }

    /** A peer that does not read must not be able to stop the receives of all others. */
    @Test
    void receivePausesAtTheConnectionsShare() throws Exception {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        List<RetainedBuffer> kept = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Flight receive = flight().onBuffer(buffer -> kept.add(buffer.retain()));
        receive.start(o -> o.receiveContinuously(where));
        byte[] content = Bytes.random(MORE_THAN_THEY_HOLD);
        var sender = inBackground(() -> {
            Peer.send(pair.far(), content);
            pair.far().shutdownOutput();
            return null;
        });
        collectUntil("its share is kept", () -> size(kept) >= SHARE);
        while (collect(A_MOMENT) > 0) {
            assertTrue(size(kept) <= MAX_RETAINED, "keeps " + size(kept));
        }
        assertTrue(receive.operation().isInFlight());
        List<Flight> others = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            StreamPair other = pair(StreamKind.fastest());
            others.add(receive(other));
            Peer.send(other.far(), Bytes.random(100));
            other.far().shutdownOutput();
        }
        collectAll(others);
        others.forEach(other -> assertBytes(Bytes.random(100), other.received()));
        while (!receive.isDone()) {
            while (!kept.isEmpty()) {
                RetainedBuffer first = kept.remove(0);
                byte[] piece = new byte[first.bytes().remaining()];
                first.bytes().get(piece);
                bytes.writeBytes(piece);
                first.close();
                assertTrue(size(kept) <= MAX_RETAINED, "keeps " + size(kept));
            }
            collect(PATIENCE.toNanos());
        }
        finish(sender);
        for (RetainedBuffer last : kept) {
            byte[] piece = new byte[last.bytes().remaining()];
            last.bytes().get(piece);
            bytes.writeBytes(piece);
            last.close();
        }
        assertResult(0, receive);
        assertBytes(content, bytes.toByteArray());
    }

    private static int size(List<RetainedBuffer> buffers) {
        return buffers.stream().mapToInt(buffer -> buffer.bytes().capacity()).sum();
    }

    @Test
    void receivePausedAtItsShareCanBeCancelled() throws Exception {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        List<RetainedBuffer> kept = new ArrayList<>();
        Flight receive = flight().onBuffer(buffer -> kept.add(buffer.retain()));
        receive.start(o -> o.receiveContinuously(where));
        var sender = inBackground(() -> {
            try {
                Peer.send(pair.far(), Bytes.random(MORE_THAN_THEY_HOLD));
            } catch (IOException e) {
                // The other end is closed before all of it is read.
                assertFalse(pair.near().handle().isOpen());
            }
            return null;
        });
        collectUntil("its share is kept", () -> size(kept) >= SHARE);
        collectReady();
        receive.operation().cancel();
        assertCancelled(receive);
        kept.forEach(RetainedBuffer::close);
        pair.near().close();
        finish(sender);
    }

    /** Large pieces cost less in large buffers; small ones would only waste their space. */
    @Test
    void fastConnectionsUseLargeBuffers() throws Exception {
        StreamPair pair = pair(StreamKind.fastest());
        // Waits until a piece has arrived completely: in a race with the sender it could be received in parts.
        pair.near().setOption(NativeSocketOptions.SO_RCVBUF, 2 * LARGE_PIECE);
        pair.far().setOption(NativeSocketOptions.SO_SNDBUF, 2 * LARGE_PIECE);
        Association where = associate(pair.near());
        List<Integer> capacities = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Flight receive = flight().onBuffer(buffer -> {
            capacities.add(buffer.bytes().capacity());
            byte[] piece = new byte[buffer.bytes().remaining()];
            buffer.bytes().get(piece);
            bytes.writeBytes(piece);
        });
        receive.start(o -> o.receiveContinuously(where));
        byte[] expected = Arrays.copyOf(Bytes.random(MUCH), MUCH + LITTLE);
        for (int i = 0; i < MUCH; i += LARGE_PIECE) {
            Peer.send(pair.far(), Arrays.copyOfRange(expected, i, i + LARGE_PIECE));
            int size = i + LARGE_PIECE;
            collectUntil("a large piece has come", () -> bytes.size() == size);
        }
        int ordinary = capacities.get(0);
        assertTrue(Collections.max(capacities) > ordinary, capacities::toString);
        for (int i = MUCH; i < expected.length; i++) {
            Peer.send(pair.far(), expected[i]);
            int size = i + 1;
            collectUntil("a byte has come", () -> bytes.size() == size);
        }
        assertEquals(ordinary, capacities.get(capacities.size() - 1));
        pair.far().shutdownOutput();
        assertResult(0, receive);
        assertBytes(expected, bytes.toByteArray());
    }

    @Test
    void manyConnectionsReceiveTheirOwnBytes() throws IOException {
        List<StreamPair> pairs = new ArrayList<>();
        List<Flight> receives = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            pairs.add(pair(StreamKind.fastest()));
            receives.add(receive(pairs.get(i)));
        }
        for (int i = 0; i < pairs.size(); i++) {
            Peer.send(pairs.get(i).far(), Bytes.random(1_000 + i));
            pairs.get(i).far().shutdownOutput();
        }
        collectAll(receives);
        for (int i = 0; i < pairs.size(); i++) {
            assertResult(0, receives.get(i));
            assertBytes(Bytes.random(1_000 + i), receives.get(i).received());
        }
    }
}

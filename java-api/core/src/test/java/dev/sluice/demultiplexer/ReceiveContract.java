package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.BufferKind;
import dev.sluice.handle.Bytes;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Receiving the bytes of a stream into the user's buffers. */
@Tag(Depth.CORE)
public abstract class ReceiveContract extends OperationContract {

    private static final int ROUNDS = 200;

    protected ReceiveContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void waitsForBytes(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        ByteBuffer buffer = ByteBuffer.allocateDirect(10);
        Flight receive = start(o -> o.receive(where, buffer));
        assertNoCompletion();
        Peer.send(pair.far(), (byte) 1, (byte) 2, (byte) 3);
        assertResult(3, receive);
        assertBytes(new byte[] {1, 2, 3}, Bytes.before(buffer));
    }

    @ParameterizedTest
    @EnumSource(names = "READ_ONLY.*", mode = EnumSource.Mode.MATCH_NONE)
    void fillsAnyKindOfBuffer(BufferKind kind) throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        byte[] content = Bytes.random(100);
        Peer.send(pair.far(), content);
        ByteBuffer buffer = kind.empty(60).order(ByteOrder.LITTLE_ENDIAN);
        assertResult(60, start(o -> o.receive(where, buffer)));
        ByteBuffer rest = kind.empty(60).order(ByteOrder.BIG_ENDIAN);
        assertResult(40, start(o -> o.receive(where, rest)));
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        received.writeBytes(kind.received(buffer));
        received.writeBytes(kind.received(rest));
        assertBytes(content, received.toByteArray());
    }

    @ParameterizedTest
    @EnumSource(names = "READ_ONLY.*", mode = EnumSource.Mode.MATCH_NONE)
    void scattersOverAnyKindOfBuffer(BufferKind kind) throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        byte[] content = Bytes.random(30);
        ByteBuffer untouched = kind.empty(20);
        ByteBuffer[] buffers = {untouched, kind.empty(7), ByteBuffer.allocate(0), kind.empty(13), kind.empty(20),
            untouched};
        Flight receive = start(o -> o.receive(where, buffers, 1, 4));
        assertNoCompletion();
        Peer.send(pair.far(), content);
        assertResult(30, receive);
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        for (int i : new int[] {1, 3, 4}) {
            received.writeBytes(kind.received(buffers[i]));
        }
        assertBytes(content, received.toByteArray());
        assertEquals(0, kind.received(untouched).length);
    }

    @Test
    void scattersOverDirectAndHeapBuffersTogether() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        byte[] content = Bytes.random(30);
        Peer.send(pair.far(), content);
        ByteBuffer[] buffers = {ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10), ByteBuffer.allocate(20)};
        assertResult(30, start(o -> o.receive(where, buffers, 0, 3)));
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        for (ByteBuffer buffer : buffers) {
            received.writeBytes(Bytes.before(buffer));
        }
        assertBytes(content, received.toByteArray());
    }

    @Test
    void scattersOverTheFirstSixteenNonEmptyBuffers() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Peer.send(pair.far(), Bytes.random(100));
        ByteBuffer[] buffers = new ByteBuffer[40];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocateDirect(i % 2);
        }
        assertResult(16, start(o -> o.receive(where, buffers, 0, buffers.length)));
        for (int i = 0; i < buffers.length; i++) {
            assertEquals(i < 32 ? i % 2 : 0, buffers[i].position(), "position of buffer " + i);
        }
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void endOfTheStreamFollowsTheLastByte(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        Peer.send(pair.far(), (byte) 1);
        pair.far().close();
        ByteBuffer buffer = ByteBuffer.allocateDirect(10);
        assertResult(1, start(o -> o.receive(where, buffer)));
        assertResult(0, start(o -> o.receive(where, buffer)));
        assertResult(0, start(o -> o.receive(where, buffer)));
        assertEquals(1, buffer.position());
    }

    @Test
    void endOfTheStreamEndsAReceive() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        Flight first = start(o -> o.receive(where, ByteBuffer.allocate(10)));
        Flight second = start(o -> o.receive(where, ByteBuffer.allocate(10)));
        assertNoCompletion();
        pair.far().shutdownOutput();
        assertResult(0, first);
        assertResult(0, second);
    }

    @Test
    void resetIsAFailureThatNamesCallErrorAndSubject() throws IOException {
        assumeErrorsAreLeft();
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        ByteBuffer buffer = ByteBuffer.allocateDirect(10);
        Flight receive = start(o -> o.receive(where, buffer));
        assertNoCompletion();
        Peer.reset(pair.far());
        assertFails(Errno.ECONNRESET, receive);
        assertEquals(0, buffer.position());
        String message = receive.operation().error(receive.result()).getMessage();
        assertTrue(message.startsWith("recv ") && message.contains("ECONNRESET")
                && message.contains(pair.near().toString()), message);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void cancelledLeavesTheBytesToTheNext(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        ByteBuffer buffer = ByteBuffer.allocateDirect(10);
        Flight receive = start(o -> o.receive(where, buffer));
        assertNoCompletion();
        receive.operation().cancel();
        assertCancelled(receive);
        Peer.send(pair.far(), (byte) 1);
        assertNoCompletion();
        assertEquals(0, buffer.position());
        ByteBuffer next = ByteBuffer.allocateDirect(10);
        assertResult(1, receive.start(o -> o.receive(where, next)));
    }

    /** No byte is lost or received twice, whether the bytes or the cancellation come first. */
    @ParameterizedTest
    @MethodSource("streamKinds")
    void cancelledReceiveLosesNoBytes(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        Flight receive = flight();
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocateDirect(10);
        for (int round = 0; round < ROUNDS; round++) {
            receive.start(o -> o.receive(where, buffer.clear()));
            if (round % 2 == 0) {
                collect(0);
            }
            Peer.send(pair.far(), (byte) round);
            receive.operation().cancel();
            isCancelled(receive);
            received.writeBytes(Bytes.before(buffer));
        }
        pair.far().shutdownOutput();
        do {
            receive.start(o -> o.receive(where, buffer.clear()));
            result(receive);
            received.writeBytes(Bytes.before(buffer));
        } while (receive.result() != 0);
        byte[] expected = new byte[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            expected[round] = (byte) round;
        }
        assertBytes(expected, received.toByteArray());
    }

    @Test
    void heapBufferIsFilledUpTo64KiBAtATime() throws Exception {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        byte[] content = Bytes.random(300_000);
        var sender = inBackground(() -> {
            Peer.send(pair.far(), content);
            return null;
        });
        ByteBuffer buffer = ByteBuffer.allocate(content.length);
        Flight receive = flight();
        while (buffer.hasRemaining()) {
            receive.start(o -> o.receive(where, buffer));
            long received = result(receive);
            assertTrue(received > 0 && received <= 64 * 1024, () -> "received " + received);
        }
        finish(sender);
        assertBytes(content, buffer.array());
    }
}

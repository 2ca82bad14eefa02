package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.BufferKind;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.SocketStream;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Sending the user's buffers to a stream. */
@Tag(Depth.CORE)
public abstract class SendContract extends OperationContract {

    /** More than a connection takes at once. */
    private static final int MUCH = 4 * 1024 * 1024;

    protected SendContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private Future<byte[]> receiveInBackground(SocketStream stream, int count) {
        return inBackground(() -> Peer.receive(stream, count));
    }

    @ParameterizedTest
    @EnumSource
    void sendsAnyKindOfBuffer(BufferKind kind) throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        byte[] content = Bytes.random(100);
        ByteBuffer some = kind.of(content);
        int limit = some.limit();
        assertResult(100, start(o -> o.send(where, some, false)));
        assertEquals(limit, some.position());
        ByteBuffer all = kind.of(content);
        assertResult(100, start(o -> o.send(where, all, true)));
        assertEquals(limit, all.position());
        assertBytes(content, Peer.receive(pair.far(), 100));
        assertBytes(content, Peer.receive(pair.far(), 100));
    }

    @ParameterizedTest
    @EnumSource
    void gathersAnyKindOfBuffer(BufferKind kind) throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        byte[] content = Bytes.random(60);
        ByteBuffer[] buffers = {kind.of((byte) 0), kind.of(Arrays.copyOf(content, 10)), ByteBuffer.allocate(0),
            kind.of(Arrays.copyOfRange(content, 10, 30)), kind.of(Arrays.copyOfRange(content, 30, 60)),
            kind.of((byte) 0)};
        assertResult(60, start(o -> o.send(where, buffers, 1, 4, true)));
        assertBytes(content, Peer.receive(pair.far(), 60));
        assertEquals(1, buffers[0].remaining());
        assertEquals(0, buffers[3].remaining());
        assertEquals(1, buffers[5].remaining());
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void nothingIsSentAtOnce(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        assertResult(0, start(o -> o.send(where, ByteBuffer.allocate(0), true)));
        assertResult(0, start(o -> o.send(where, ByteBuffer.allocateDirect(0), false)));
        assertResult(0, start(o -> o.send(where, new ByteBuffer[0], 0, 0, true)));
        pair.near().shutdownOutput();
        Peer.assertEnd(pair.far());
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void allOfADirectBufferIsSentToASlowReader(StreamKind kind) throws Exception {
        assertAllIsSent(kind, Bytes::direct);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void allOfAHeapBufferIsSentToASlowReader(StreamKind kind) throws Exception {
        assertAllIsSent(kind, ByteBuffer::wrap);
    }

    private void assertAllIsSent(StreamKind kind, Function<byte[], ByteBuffer> toBuffer)
            throws Exception {
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        byte[] content = Bytes.random(MUCH);
        ByteBuffer buffer = toBuffer.apply(content);
        Flight send = start(o -> o.send(where, buffer, true));
        assertNoCompletion();
        Future<byte[]> receiver = receiveInBackground(pair.far(), MUCH);
        assertResult(MUCH, send);
        assertEquals(0, buffer.remaining());
        assertBytes(content, finish(receiver));
    }

    @Test
    void allOfManyBuffersIsGathered() throws Exception {
        assertAllIsGathered(i -> ByteBuffer.allocateDirect(i % 1_999));
    }

    @Test
    void allOfManyHeapBuffersIsGathered() throws Exception {
        assertAllIsGathered(i -> i % 2 == 0 ? ByteBuffer.allocate(i % 1_999) : ByteBuffer.allocateDirect(i % 1_999));
    }

    /** More buffers than one call takes ({@code IOV_MAX} is 1024), and more bytes. */
    private void assertAllIsGathered(IntFunction<ByteBuffer> bufferOf) throws Exception {
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        byte[] content = Bytes.random(MUCH);
        ByteBuffer[] buffers = new ByteBuffer[3_000];
        int sum = 0;
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = bufferOf.apply(i);
            buffers[i].put(content, sum, buffers[i].capacity()).flip();
            sum += buffers[i].capacity();
        }
        Future<byte[]> receiver = receiveInBackground(pair.far(), sum);
        assertResult(sum, start(o -> o.send(where, buffers, 0, buffers.length, true)));
        assertBytes(Arrays.copyOf(content, sum), finish(receiver));
        for (ByteBuffer buffer : buffers) {
            assertEquals(0, buffer.remaining());
        }
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void someIsEnoughIfAskedFor(StreamKind kind) throws Exception {
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        byte[] content = Bytes.random(MUCH);
        ByteBuffer buffer = Bytes.direct(content);
        long sent = result(start(o -> o.send(where, buffer, false)));
        assertTrue(sent > 0 && sent < MUCH, () -> "sent " + sent);
        assertEquals(sent, buffer.position());
        assertBytes(Arrays.copyOf(content, (int) sent), Peer.receive(pair.far(), (int) sent));
    }

    @Test
    void partialSendWaitsUntilWritable() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        int before = Peer.fill(pair);
        Flight send = start(o -> o.send(where, ByteBuffer.wrap(new byte[] {1}), false));
        assertNoCompletion();
        Peer.receive(pair.far(), before);
        assertResult(1, send);
        assertBytes(new byte[] {1}, Peer.receive(pair.far(), 1));
    }

    /** The position shows how many bytes have been sent, so that the caller can continue from there. */
    @ParameterizedTest
    @MethodSource("streamKinds")
    void positionOfACancelledSendIsExact(StreamKind kind) throws Exception {
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        byte[] content = Bytes.random(MUCH);
        for (ByteBuffer buffer : new ByteBuffer[] {Bytes.direct(content), ByteBuffer.wrap(content)}) {
            Flight send = start(o -> o.send(where, buffer, true));
            collect(0);
            byte[] received = collectDuring(() -> Peer.receive(pair.far(), 500_000));
            send.operation().cancel();
            assertCancelled(send);
            assertTrue(buffer.position() >= 500_000 && buffer.hasRemaining(), buffer::toString);
            assertBytes(Arrays.copyOf(content, 500_000), received);
            if (cancellingASendResets()) {
                // Bytes that the peer has not received yet are lost with the connection.
                return;
            }
            assertBytes(Arrays.copyOfRange(content, 500_000, buffer.position()),
                    Peer.receive(pair.far(), buffer.position() - 500_000));
        }
        pair.near().close();
        collectReady();
        Peer.assertEnd(pair.far());
    }

    @Test
    void peerThatResetIsAFailureThatNamesCallErrorAndSubject() throws IOException {
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        ByteBuffer buffer = ByteBuffer.allocateDirect(MUCH);
        Flight send = start(o -> o.send(where, buffer, true));
        assertNoCompletion();
        Peer.reset(pair.far());
        assertTrue(result(send) < 0);
        Errno error = Errno.of(send.result());
        assertTrue(error == Errno.ECONNRESET || error == Errno.EPIPE, error::toString);
        assertTrue(buffer.position() > 0, "nothing was sent before");
        String message = send.operation().error(send.result()).getMessage();
        assertTrue(message.startsWith("send ") && message.contains(error.name())
                && message.contains(pair.near().toString()), message);
        assertFails(Errno.EPIPE, send.start(o -> o.send(where, ByteBuffer.allocate(1), false)));
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void afterTheSendingHalfIsShutItFails(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        pair.near().shutdownOutput();
        assertFails(Errno.EPIPE, start(o -> o.send(where, ByteBuffer.allocateDirect(1), true)));
        ByteBuffer[] several = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1)};
        assertFails(Errno.EPIPE, start(o -> o.send(where, several, 0, 2, true)));
    }
}

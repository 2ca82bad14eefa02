package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations of one direction on one handle run in the order of their starts, and do not wait for others. */
abstract class OrderContract extends OperationContract {

    OrderContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void manySendsArriveInOrder(StreamKind kind) throws Exception {
        assertSendsArriveInOrder(kind, 1_000, 500);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void largeSendsArriveInOrderAtASlowReader(StreamKind kind) throws Exception {
        assertSendsArriveInOrder(kind, 20, 400_000);
    }

    private void assertSendsArriveInOrder(StreamKind kind, int count, int longest) throws Exception {
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        List<Flight> sends = new ArrayList<>();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            byte[] content = Bytes.random(1 + i * 7_919 % longest);
            expected.writeBytes(content);
            sends.add(send(where, content, i % 3));
        }
        sends.add(start(o -> o.shutdown(where, true)));
        assertNoneFailed(sends);
        Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
        collectAll(sends);
        assertBytes(expected.toByteArray(), finish(receiver));
        assertNoneFailed(sends);
    }

    private Flight send(Association where, byte[] content, int how) {
        ByteBuffer heap = ByteBuffer.wrap(content);
        ByteBuffer direct = Bytes.direct(content);
        int half = content.length / 2;
        ByteBuffer[] halves = {direct.duplicate().limit(half), ByteBuffer.wrap(content, half, content.length - half)};
        return switch (how) {
            case 0 -> start(o -> o.send(where, heap, true));
            case 1 -> start(o -> o.send(where, direct, true));
            default -> start(o -> o.send(where, halves, 0, 2, true));
        };
    }

    private void assertNoneFailed(List<Flight> flights) {
        for (Flight flight : flights) {
            assertTrue(flight.result() >= 0, flight::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void partialSendsAreExecutedInOrder(StreamKind kind) throws Exception {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        List<Flight> sends = new ArrayList<>();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < 5; i++) {
            // So few bytes that the system takes all of them: nothing is sent behind an incomplete send.
            byte[] content = Bytes.random(100);
            expected.write(content);
            sends.add(start(o -> o.send(where, Bytes.direct(content), false)));
        }
        sends.add(start(o -> o.shutdown(where, true)));
        Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
        collectAll(sends);
        assertBytes(expected.toByteArray(), finish(receiver));
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void receivesAreFilledInOrder(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        byte[] content = Bytes.random(5_000);
        List<Flight> receives = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            ByteBuffer buffer = i % 2 == 0 ? ByteBuffer.allocate(100) : ByteBuffer.allocateDirect(100);
            buffers.add(buffer);
            receives.add(start(o -> o.receive(where, buffer)));
        }
        assertNoCompletion();
        for (int sent = 0; sent < content.length; sent += 1_000) {
            Peer.send(pair.far(), Arrays.copyOfRange(content, sent, sent + 1_000));
            collectReady();
        }
        pair.far().shutdownOutput();
        collectAll(receives);
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        buffers.forEach(buffer -> received.writeBytes(Bytes.before(buffer)));
        // The last buffers may have been filled only in part; the remaining bytes are still to be received.
        Flight rest = flight();
        ByteBuffer buffer = ByteBuffer.allocate(100);
        while (result(rest.start(o -> o.receive(where, buffer.clear()))) > 0) {
            received.writeBytes(Bytes.before(buffer));
        }
        assertBytes(content, received.toByteArray());
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void transmittedFileStaysBetweenHeaderAndTrailer(StreamKind kind) throws Exception {
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        byte[] content = Bytes.random(1_000_000);
        Path path = Files.write(directory.resolve("body"), content);
        FileHandle file = own(FileHandle.open(path));
        List<Flight> all = List.of(
                start(o -> o.send(where, ByteBuffer.wrap(Bytes.of("header")), true)),
                start(o -> o.transmitFile(where, file, 0, content.length, null, null)),
                start(o -> o.send(where, ByteBuffer.wrap(Bytes.of("trailer")), true)),
                start(o -> o.transmitFile(where, file, 0, 1, null, null)),
                start(o -> o.shutdown(where, true)));
        Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
        collectAll(all);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.writeBytes(Bytes.of("header"));
        expected.writeBytes(content);
        expected.writeBytes(Bytes.of("trailer"));
        expected.write(content[0]);
        assertBytes(expected.toByteArray(), finish(receiver));
    }

    @Test
    void sendAfterACancelledOneIsExecuted() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        int before = Peer.fill(pair);
        Flight first = start(o -> o.send(where, ByteBuffer.wrap(new byte[] {1}), true));
        Flight second = start(o -> o.send(where, ByteBuffer.wrap(new byte[] {2}), true));
        Flight third = start(o -> o.send(where, ByteBuffer.wrap(new byte[] {3}), true));
        assertNoCompletion();
        second.operation().cancel();
        assertCancelled(second);
        first.operation().cancel();
        assertCancelled(first);
        Peer.receive(pair.far(), before);
        assertResult(1, third);
        assertBytes(new byte[] {3}, Peer.receive(pair.far(), 1));
    }

    @Test
    void directionsDoNotWaitForEachOther() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        int before = Peer.fill(pair);
        Flight send = start(o -> o.send(where, ByteBuffer.wrap(new byte[] {1}), true));
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        assertNoCompletion();
        Peer.send(pair.far(), (byte) 2);
        assertResult(1, receive);
        assertEquals(0, send.lasts());
        Flight next = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        Peer.receive(pair.far(), before);
        assertResult(1, send);
        assertEquals(0, next.lasts());
    }

    @Test
    void handlesDoNotWaitForEachOther() throws IOException {
        StreamPair stalled = pair(StreamKind.fastest());
        Association stalledEnd = associate(stalled.near());
        Peer.fill(stalled);
        Flight waiting = start(o -> o.send(stalledEnd, ByteBuffer.allocate(1), true));
        StreamPair other = pair(StreamKind.fastest());
        Association otherEnd = associate(other.near());
        for (int i = 0; i < 100; i++) {
            byte number = (byte) i;
            assertResult(1, start(o -> o.send(otherEnd, ByteBuffer.wrap(new byte[] {number}), true)));
            assertBytes(new byte[] {number}, Peer.receive(other.far(), 1));
        }
        assertEquals(0, waiting.lasts());
    }
}

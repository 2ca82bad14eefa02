package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.BufferKind;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending a part of a file between a head and a tail. */
abstract class HeadAndTailContract extends OperationContract {

    /** The size of each part: more than fits into a socket. */
    private static final int MUCH = 1024 * 1024;
    private static final int SOME = 250_000;
    /** More than sockets and all buffers before them take at a time. */
    private static final int SHRUNK = 64 * 1024;

    private Path path;
    private byte[] content;
    private FileHandle file;

    HeadAndTailContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private void openFile(int size) throws IOException {
        content = Bytes.random(size);
        path = Files.write(directory.resolve("file"), content);
        file = own(FileHandle.open(path));
    }

    private static byte[] joined(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
        Arrays.stream(parts).forEach(all::put);
        return all.array();
    }

    @ParameterizedTest
    @CsvSource({
        // size of the file, from, number, head, tail, what is sent of the file, of the tail
        "100, 0, 100, 10, 20, 100, 20",
        "100, 10, 50, 1, 1, 50, 1",
        "100, 10, 50, 10, 0, 50, 0",
        "100, 10, 50, 0, 10, 50, 10",
        "100, 10, 50, 0, 0, 50, 0",
        "100, 10, 0, 10, 20, 0, 20",
        "100, 10, 0, 10, 0, 0, 0",
        "100, 10, 0, 0, 10, 0, 10",
        "100, 0, 0, 0, 0, 0, 0",
        "100, 200, 0, 3, 4, 0, 4",
        "0, 0, 0, 10, 20, 0, 20",
        // the file is shorter
        "100, 40, 61, 10, 20, 60, 0",
        "100, 100, 1, 10, 20, 0, 0",
        "100, 1000, 1, 10, 20, 0, 0",
        "0, 0, 100, 10, 20, 0, 0",
        "0, 0, 100, 0, 20, 0, 0",
        "100, 0, 9223372036854775807, 10, 20, 100, 0",
        "100, 100, 9223372036854775707, 10, 20, 0, 0",
        "200000, 1, 200000, 10, 20, 199999, 0",
        "200000, 200000, 200000, 10, 20, 0, 0",
        // the size of a piece of each mechanism, and one more
        "65536, 0, 65536, 10, 20, 65536, 20",
        "65537, 0, 65537, 10, 20, 65537, 20",
        "262145, 0, 262145, 65536, 65536, 262145, 65536",
        "1048577, 0, 1048577, 65537, 65537, 1048577, 65537",
        "100, 0, 100, 3000000, 20, 100, 20",
        "100, 0, 100, 20, 3000000, 100, 3000000",
        "100, 100, 100, 3000000, 20, 0, 0",
        "3000000, 7, 2999993, 3000000, 3000000, 2999993, 3000000",
    })
    void sendsAllThreeInTheirOrder(int size, long from, long number, int headSize, int tailSize, int ofFile, int ofTail)
            throws Exception {
        openFile(size);
        byte[] head = Bytes.random(headSize);
        byte[] tail = Bytes.random(tailSize);
        byte[] expected = joined(head, Arrays.copyOfRange(content, (int) Math.min(from, size),
                (int) Math.min(from, size) + ofFile), Arrays.copyOf(tail, ofTail));
        for (StreamKind kind : EnumSet.of(StreamKind.TCP, StreamKind.fastest())) {
            BufferKind buffers = kind == StreamKind.TCP ? BufferKind.DIRECT : BufferKind.HEAP;
            StreamPair pair = pair(kind);
            Association where = associate(pair.near());
            Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
            ByteBuffer before = buffers.of(head);
            ByteBuffer after = buffers.of(tail);
            int tailAt = after.position();
            assertResult(expected.length, start(o -> o.transmitFile(where, file, from, number, before, after)));
            assertEquals(0, before.remaining());
            assertEquals(tailAt + ofTail, after.position());
            pair.near().shutdownOutput();
            assertBytes(expected, finish(receiver));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag(Depth.TRANSFER)
    void sendsAnyKindOfBuffer(BufferKind kind) throws IOException {
        openFile(1_000);
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight transmit = flight();
        for (int round = 0; round < 10; round++) {
            byte[] head = Bytes.random(1 + round * 100);
            byte[] tail = Bytes.random(1 + round * 10);
            ByteBuffer before = kind.of(head);
            ByteBuffer after = kind.of(tail);
            int limit = before.limit();
            assertResult(head.length + 1_000 + tail.length,
                    transmit.start(o -> o.transmitFile(where, file, 0, 1_000, before, after)));
            assertEquals(limit, before.limit());
            assertEquals(limit, before.position());
            assertEquals(0, after.remaining());
            assertBytes(joined(head, content, tail),
                    Peer.receive(pair.far(), head.length + 1_000 + tail.length));
        }
    }

    @Test
    @Tag(Depth.TRANSFER)
    void eitherMayBeMissing() throws IOException {
        openFile(10);
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight transmit = flight();
        // After a transmit with both, of which nothing must be left.
        assertResult(12, transmit.start(o -> o.transmitFile(where, file, 0, 10, Bytes.direct(new byte[1]),
                ByteBuffer.allocate(1))));
        assertResult(11, transmit.start(o -> o.transmitFile(where, file, 0, 10, Bytes.direct(new byte[1]), null)));
        assertResult(11, transmit.start(o -> o.transmitFile(where, file, 0, 10, null, ByteBuffer.allocate(1))));
        assertResult(10, transmit.start(o -> o.transmitFile(where, file, 0, 10, null, null)));
        assertResult(0, transmit.start(o -> o.transmitFile(where, file, 0, 0, null, null)));
        assertEquals(44, Peer.receive(pair.far(), 44).length);
    }

    /** Later reads and writes by the same operation start at the right position. */
    @Test
    void theOperationDoesSomethingElseAfterwards() throws IOException {
        openFile(1_000);
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Association inFile = associate(file.handle());
        Flight flight = flight();
        assertResult(112, flight.start(o -> o.transmitFile(where, file, 0, 100, ByteBuffer.allocate(10),
                Bytes.direct(new byte[2]))));
        ByteBuffer read = ByteBuffer.allocate(300);
        assertResult(300, flight.start(o -> o.read(inFile, read, 600)));
        assertBytes(Arrays.copyOfRange(content, 600, 900), read.array());
        assertResult(5, flight.start(o -> o.send(where, ByteBuffer.allocate(5), true)));
        assertEquals(117, Peer.receive(pair.far(), 117).length);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void sendsMuchToASlowReader(StreamKind kind) throws Exception {
        openFile(MUCH);
        byte[] head = Bytes.random(MUCH);
        byte[] tail = Bytes.random(MUCH);
        for (BufferKind buffers : EnumSet.of(BufferKind.DIRECT, BufferKind.HEAP)) {
            StreamPair pair = Peer.narrow(pair(kind));
            Association where = associate(pair.near());
            Flight transmit = start(o -> o.transmitFile(where, file, 0, MUCH, buffers.of(head), buffers.of(tail)));
            assertNoCompletion();
            Future<byte[]> receiver = inBackground(() -> Peer.receive(pair.far(), 3 * MUCH));
            assertResult(3 * MUCH, transmit);
            assertBytes(joined(head, content, tail), finish(receiver));
        }
    }

    @Test
    void transmitIsOrderedWithSends() throws Exception {
        openFile(300_000);
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        byte[] head = Bytes.random(1_000);
        byte[] tail = Bytes.random(2_000);
        byte[] other = Bytes.random(100_000);
        Flight first = start(o -> o.send(where, ByteBuffer.wrap(other), true));
        Flight second = start(o -> o.transmitFile(where, file, 0, 300_000, ByteBuffer.wrap(head), Bytes.direct(tail)));
        Flight third = start(o -> o.transmitFile(where, file, 0, 10, Bytes.direct(head), ByteBuffer.wrap(tail)));
        Flight fourth = start(o -> o.send(where, Bytes.direct(other), true));
        byte[] expected = joined(other, head, content, tail, head, Arrays.copyOf(content, 10), tail, other);
        Future<byte[]> receiver = inBackground(() -> Peer.receive(pair.far(), expected.length));
        assertResult(other.length, first);
        assertResult(303_000, second);
        assertResult(3_010, third);
        assertResult(other.length, fourth);
        assertBytes(expected, finish(receiver));
    }

    /** Changing the buffers must not change bytes that are still in transit. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void completedOperationDoesNotAccessItsBuffers(boolean direct) throws Exception {
        openFile(10);
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        ByteBuffer head = direct ? ByteBuffer.allocateDirect(8_000) : ByteBuffer.allocate(8_000);
        ByteBuffer tail = direct ? ByteBuffer.allocateDirect(8_000) : ByteBuffer.allocate(8_000);
        int rounds = 100;
        Future<byte[]> receiver = inBackground(() -> Peer.receive(pair.far(), rounds * 16_010));
        Flight transmit = flight();
        ByteBuffer expected = ByteBuffer.allocate(rounds * 16_010);
        for (int round = 0; round < rounds; round++) {
            byte[] before = Bytes.random(8_000);
            byte[] after = Bytes.random(8_000);
            expected.put(before).put(content).put(after);
            head.clear().put(before).flip();
            tail.clear().put(after).flip();
            assertResult(16_010, transmit.start(o -> o.transmitFile(where, file, 0, 10, head, tail)));
            head.clear().put(new byte[8_000]);
            tail.clear().put(new byte[8_000]);
        }
        assertBytes(expected.array(), finish(receiver));
    }

    // Ends in the midst of it

    private byte[] receive(StreamPair pair, int count) throws Exception {
        return collectDuring(() -> Peer.receive(pair.far(), count));
    }

    /** In the head, in the file, in the tail: what was sent is a prefix; the buffers' positions show their share. */
    @ParameterizedTest
    @CsvSource({"0, DIRECT", "0, HEAP", "1, DIRECT", "1, HEAP", "2, DIRECT", "2, HEAP"})
    @Tag(Depth.TRANSFER)
    void cancelledMidwayEndsAndLeavesAPrefix(int part, BufferKind buffers) throws Exception {
        openFile(MUCH);
        byte[] whole = joined(Bytes.random(MUCH), content, Bytes.random(MUCH));
        int before = part * MUCH + SOME;
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        ByteBuffer head = buffers.of(Arrays.copyOf(whole, MUCH));
        ByteBuffer tail = buffers.of(Arrays.copyOfRange(whole, 2 * MUCH, 3 * MUCH));
        Flight transmit = start(o -> o.transmitFile(where, file, 0, MUCH, head, tail));
        assertBytes(Arrays.copyOf(whole, before), receive(pair, before));
        transmit.operation().cancel();
        assertCancelled(transmit);
        pair.near().shutdownOutput();
        byte[] rest = Peer.receiveAll(pair.far());
        int sent = before + rest.length;
        assertTrue(sent < whole.length);
        assertBytes(Arrays.copyOfRange(whole, before, sent), rest);
        assertEquals(Math.max(0, MUCH - sent), head.remaining(), "left of the head");
        assertEquals(Math.min(MUCH, whole.length - sent), tail.remaining(), "left of the tail");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void closedMidwayEndsIt(int part) throws Exception {
        openFile(MUCH);
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        Flight transmit = start(o -> o.transmitFile(where, file, 0, MUCH, ByteBuffer.allocate(MUCH),
                ByteBuffer.allocateDirect(MUCH)));
        receive(pair, part * MUCH + SOME);
        Flight close = start(o -> o.close(where));
        assertCancelled(transmit);
        assertResult(0, close);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void peerThatResetsMidwayIsAFailureThatNamesCallErrorAndBoth(int part) throws Exception {
        openFile(MUCH);
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        ByteBuffer head = ByteBuffer.allocateDirect(MUCH);
        ByteBuffer tail = ByteBuffer.allocate(MUCH);
        Flight transmit = start(o -> o.transmitFile(where, file, 0, MUCH, head, tail));
        receive(pair, part * MUCH + SOME);
        Peer.reset(pair.far());
        assertTrue(result(transmit) < 0);
        Errno error = Errno.of(transmit.result());
        assertTrue(error == Errno.ECONNRESET || error == Errno.EPIPE, error::toString);
        String message = transmit.operation().error(transmit.result()).getMessage();
        assertTrue(message.startsWith("sendfile ") && message.contains(error.name())
                && message.contains(file.toString()) && message.contains(pair.near().toString()), message);
        assertTrue(head.position() >= Math.min(MUCH, part * MUCH + SOME) && (part > 0 || tail.position() == 0),
                () -> head + ", " + tail);
    }

    /** On Windows one call sends everything, and decides about the tail. */
    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void fileThatShrinksDuringTheSendIsSentWithoutTrailer() throws Exception {
        openFile(2 * MUCH);
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        byte[] head = Bytes.random(SOME);
        ByteBuffer tail = ByteBuffer.allocate(10);
        Flight transmit = start(o -> o.transmitFile(where, file, 0, 2 * MUCH, ByteBuffer.wrap(head), tail));
        assertBytes(joined(head, Arrays.copyOf(content, SOME)), receive(pair, 2 * SOME));
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(SHRUNK);
        }
        Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
        long result = result(transmit);
        assertTrue(result >= 2 * SOME && result < SOME + 2 * MUCH, () -> "result " + result);
        assertEquals(10, tail.remaining());
        pair.near().shutdownOutput();
        assertEquals(result, 2 * SOME + finish(receiver).length);
    }

    @Test
    void fileThatHasShrunkIsSentWithoutTrailer() throws IOException {
        openFile(SOME);
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(1_000);
        }
        assertResult(1_010, start(o -> o.transmitFile(where, file, 0, SOME, ByteBuffer.allocate(10),
                ByteBuffer.allocate(10))));
        assertEquals(1_010, Peer.receive(pair.far(), 1_010).length);
    }

    @Test
    void aClosedFileSendsNothing() throws IOException {
        openFile(100);
        file.close();
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        ByteBuffer head = ByteBuffer.allocate(10);
        assertFails(Errno.EBADF, start(o -> o.transmitFile(where, file, 0, 100, head, ByteBuffer.allocateDirect(1))));
        assertEquals(0, head.position());
        pair.near().shutdownOutput();
        assertEquals(0, Peer.receiveAll(pair.far()).length);
    }

    @Test
    void onAClosedStreamItIsCancelledOrFailsAndSendsNothing() throws IOException {
        openFile(100);
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        pair.near().close();
        ByteBuffer head = ByteBuffer.allocateDirect(10);
        assertCancelled(start(o -> o.transmitFile(where, file, 0, 100, head, null)));
        assertEquals(0, head.position());
    }

    @Test
    void onAShutDownStreamItFails() throws IOException {
        openFile(100);
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        pair.near().shutdownOutput();
        ByteBuffer head = ByteBuffer.allocate(10);
        assertFails(Errno.EPIPE, start(o -> o.transmitFile(where, file, 0, 100, head, null)));
        assertEquals(0, head.position());
    }

    @Test
    void theCloseOfTheDemultiplexerGivesItsBuffersBack() throws Exception {
        openFile(MUCH);
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        ByteBuffer head = ByteBuffer.allocate(MUCH);
        Flight inFlight = start(o -> o.transmitFile(where, file, 0, MUCH, head, ByteBuffer.allocateDirect(MUCH)));
        ByteBuffer unused = ByteBuffer.allocateDirect(10);
        Flight waiting = start(o -> o.transmitFile(where, file, 0, MUCH, unused, null));
        receive(pair, 1);
        demultiplexer.close();
        assertFalse(inFlight.operation().isInFlight() || waiting.operation().isInFlight());
        assertTrue(head.position() > 0 && head.hasRemaining(), head::toString);
        assertEquals(0, unused.position());
    }
}

package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing is sent in place of earlier bytes that should have been sent and were not. */
abstract class StreamGapContract extends OperationContract {

    private static final int MUCH = 4 * 1024 * 1024;
    private static final int TOO_LONG = 66_000;

    StreamGapContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private FileHandle file(byte[] content) throws IOException {
        return own(FileHandle.open(Files.write(directory.resolve("file"), content)));
    }

    /** Makes the buffer of a send in flight too short for the remaining bytes. */
    private static void spoil(ByteBuffer buffer) {
        buffer.limit(0);
    }

    /** Collects all operations: the first fails, and the others fail because of it. */
    private void assertOthersFailForTheFirst(Errno error, List<Flight> flights) throws IOException {
        List<Flight> left = new ArrayList<>(flights);
        while (!left.isEmpty()) {
            assertTrue(collect(PATIENCE.toNanos()) > 0, () -> "no completion of " + left);
            for (int i = 0; i < completions.size(); i++) {
                Flight flight = flightOf(completions.operation(i));
                Completion completion = completions.get(i);
                if (flight == flights.get(0)) {
                    assertEquals(error, Errno.of(completions.result(i)), flight::toString);
                } else {
                    assertEquals(Errno.EPIPE, Errno.of(completions.result(i)), flight::toString);
                    Throwable cause = completion.error().getCause();
                    assertNotNull(cause, () -> "nothing says why " + flight + " fails");
                    assertTrue(cause.getMessage().contains(error.name()), cause::toString);
                }
                left.remove(flight);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void nothingIsSentBehindAFailure(StreamKind kind) throws Exception {
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        FileHandle file = file(Bytes.random(100));
        byte[] content = Bytes.random(MUCH);
        ByteBuffer spoilt = ByteBuffer.wrap(content);
        ByteBuffer next = ByteBuffer.allocate(10);
        ByteBuffer[] several = {ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10)};
        List<Flight> flights = List.of(
                start(o -> o.send(where, spoilt, true)),
                start(o -> o.send(where, next, true)),
                start(o -> o.send(where, ByteBuffer.allocateDirect(10), false)),
                start(o -> o.send(where, several, 0, 2, true)),
                start(o -> o.transmitFile(where, file, 0, 100, null, null)),
                start(o -> o.shutdown(where, true)));
        assertNoCompletion();
        spoil(spoilt);
        Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
        assertOthersFailForTheFirst(Errno.EIO, flights);
        assertEquals(10, next.remaining(), "it has not been sent, as its position says");
        // Nor later: another thread than the one that knows of the failure may start a send.
        assertFails(Errno.EPIPE, start(o -> o.send(where, ByteBuffer.allocate(10), true)));
        assertFails(Errno.EPIPE, start(o -> o.transmitFile(where, file, 0, 100, null, null)));
        pair.near().shutdownOutput();
        byte[] received = finish(receiver);
        assertTrue(received.length < MUCH, "all has been sent");
        assertBytes(Arrays.copyOf(content, received.length), received);
    }

    @Test
    void receivesContinueAfterAFailure() throws Exception {
        StreamPair pair = Peer.narrow(pair(StreamKind.TCP));
        Association where = associate(pair.near());
        ByteBuffer spoilt = ByteBuffer.allocate(MUCH);
        Flight send = start(o -> o.send(where, spoilt, true));
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocate(10)));
        assertNoCompletion();
        spoil(spoilt);
        Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
        assertFails(Errno.EIO, send);
        Peer.send(pair.far(), (byte) 1);
        assertResult(1, receive);
        assertResult(0, start(o -> o.shutdown(where, false)));
        pair.near().shutdownOutput();
        finish(receiver);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void nothingIsSentBehindWhatWasCancelledHalfWayUntilThatIsKnown(StreamKind kind) throws Exception {
        assumeFalse(cancellingASendResets(), "a cancellation ends the connection");
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        byte[] content = Bytes.random(MUCH);
        ByteBuffer cancelled = ByteBuffer.wrap(content);
        List<Flight> flights = List.of(
                start(o -> o.send(where, cancelled, true)),
                start(o -> o.send(where, ByteBuffer.allocate(10), true)),
                start(o -> o.shutdown(where, true)));
        collect(0);
        collectDuring(() -> Peer.receive(pair.far(), 500_000));
        assertEquals(0, flights.get(1).lasts());
        flights.get(0).operation().cancel();
        assertOthersFailForTheFirst(Errno.ECANCELED, flights);
        // Continues at the position of the cancelled send.
        Flight rest = start(o -> o.send(where, cancelled, true));
        Flight end = start(o -> o.shutdown(where, true));
        byte[] received = collectDuring(() -> Peer.receiveAll(pair.far()));
        collectAll(List.of(rest, end));
        assertTrue(rest.result() > 0 && end.result() == 0, rest::toString);
        assertBytes(Arrays.copyOfRange(content, 500_000, MUCH), received);
    }

    /** The send succeeds with a part of the bytes; a send started behind it would take the place of the rest. */
    @ParameterizedTest
    @MethodSource("streamKinds")
    void nothingIsSentBehindSomeOfTheBytesUntilThatIsKnown(StreamKind kind) throws Exception {
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        byte[] content = Bytes.random(MUCH);
        ByteBuffer some = ByteBuffer.allocateDirect(MUCH).put(content).flip();
        List<Flight> behind = List.of(
                start(o -> o.send(where, some, false)),
                start(o -> o.send(where, ByteBuffer.allocate(10), true)),
                start(o -> o.send(where, ByteBuffer.allocate(10), false)),
                start(o -> o.shutdown(where, true)));
        collectAll(behind);
        int sent = (int) behind.get(0).result();
        assumeTrue(sent < MUCH, "the system takes all at once");
        assertEquals(sent, some.position());
        for (Flight flight : behind.subList(1, behind.size())) {
            assertEquals(Errno.EPIPE, Errno.of(flight.result()), flight::toString);
        }
        Flight rest = start(o -> o.send(where, some, true));
        Flight end = start(o -> o.shutdown(where, true));
        byte[] received = collectDuring(() -> Peer.receiveAll(pair.far()));
        collectAll(List.of(rest, end));
        assertTrue(rest.result() > 0 && end.result() == 0, rest::toString);
        assertBytes(content, received);
    }

    /** None of its bytes have been sent; once the caller knows that, it may send something else. */
    @Test
    void nothingIsSentBehindAFileThatCannotBeTransmittedUntilThatIsKnown() throws Exception {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        FileHandle file = file(Bytes.random(100));
        file.close();
        assertOthersFailForTheFirst(Errno.EBADF, List.of(
                start(o -> o.transmitFile(where, file, 0, 100, null, null)),
                start(o -> o.send(where, ByteBuffer.wrap(Bytes.of("behind")), true))));
        assertResult(5, start(o -> o.send(where, ByteBuffer.wrap(Bytes.of("known")), true)));
        assertBytes(Bytes.of("known"), Peer.receive(pair.far(), 5));
    }

    /** Datagrams are independent of each other. */
    @Test
    void datagramsContinueAfterAFailure() throws IOException {
        SocketDatagram near = own(SocketDatagram.open(StreamPair.loopback()));
        SocketDatagram far = own(SocketDatagram.open(StreamPair.loopback()));
        Association where = associate(near.handle());
        PeerAddress peer = PeerAddress.of(far.localAddress());
        Flight tooLong = start(o -> o.sendTo(where, ByteBuffer.allocateDirect(TOO_LONG), peer));
        Flight next = start(o -> o.sendTo(where, ByteBuffer.wrap(new byte[] {1}), peer));
        collectAll(List.of(tooLong, next));
        assertTrue(tooLong.result() < 0, tooLong::toString);
        assertEquals(1, next.result());
    }
}

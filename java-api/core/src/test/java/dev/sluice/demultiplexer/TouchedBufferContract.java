package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program changes a buffer that belongs to an operation. The operation fails with an error that names the cause; no
 * wait throws, and all other operations continue.
 */
abstract class TouchedBufferContract extends OperationContract {

    private static final int CAPACITY = 10;
    private static final int MUCH = 4 * 1024 * 1024;

    private StreamPair pair;
    private Association where;

    TouchedBufferContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void connect() throws IOException {
        pair = Peer.narrow(pair(StreamKind.TCP));
        where = associate(pair.near());
    }

    private static ByteBuffer buffer(boolean direct, int size) {
        return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    }

    /** Its completion must be the only next one. */
    private void assertBlamesTheBuffer(Errno error, Flight flight) throws IOException {
        assertTrue(collect(PATIENCE.toNanos()) == 1 && flight.isDone(), () -> "no completion of " + flight);
        Completion completion = completions.get(0);
        assertEquals(error, Errno.of(completions.result(0)));
        Throwable cause = completion.error().getCause();
        assertNotNull(cause, () -> "nothing says why " + flight + " fails");
        assertTrue(cause.getMessage().contains("buffer"), cause::toString);
    }

    private void assertAllIsWell() throws IOException {
        StreamPair other = pair(StreamKind.fastest());
        Association association = associate(other.near());
        Flight receive = start(o -> o.receive(association, ByteBuffer.allocate(CAPACITY)));
        Peer.send(other.far(), (byte) 1, (byte) 2);
        assertResult(2, receive);
        assertEquals(0, demultiplexer.inFlight());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLimitOfAReceiveIsLowered(boolean direct) throws IOException {
        ByteBuffer buffer = buffer(direct, CAPACITY);
        Flight receive = start(o -> o.receive(where, buffer));
        assertNoCompletion();
        buffer.limit(1);
        Peer.send(pair.far(), (byte) 1, (byte) 2, (byte) 3);
        assertBlamesTheBuffer(Errno.EIO, receive);
        // The operation can be used again.
        receive.start(o -> o.receive(where, buffer.clear()));
        Peer.send(pair.far(), (byte) 4);
        assertResult(1, receive);
        assertAllIsWell();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePositionOfAReceiveIsRaised(boolean direct) throws IOException {
        ByteBuffer[] buffers = {buffer(direct, CAPACITY), buffer(!direct, CAPACITY)};
        Flight receive = start(o -> o.receive(where, buffers, 0, 2));
        assertNoCompletion();
        buffers[0].position(CAPACITY - 1);
        buffers[1].position(CAPACITY - 1);
        Peer.send(pair.far(), (byte) 1, (byte) 2, (byte) 3);
        assertBlamesTheBuffer(Errno.EIO, receive);
        assertAllIsWell();
    }

    /** The second receive must not mistake the full buffer for the end of the stream. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void twoReceivesHaveOneBuffer(boolean direct) throws IOException {
        ByteBuffer buffer = buffer(direct, 2);
        Flight first = start(o -> o.receive(where, buffer));
        Flight second = start(o -> o.receive(where, buffer));
        assertNoCompletion();
        Peer.send(pair.far(), (byte) 1, (byte) 2, (byte) 3);
        assertResult(2, first);
        assertFails(Errno.EIO, second);
        ByteBuffer rest = ByteBuffer.allocate(CAPACITY);
        assertResult(1, start(o -> o.receive(where, rest)));
        assertArrayEquals(new byte[] {3}, Bytes.before(rest));
        assertAllIsWell();
    }

    /** For an operation that waits for the peer to receive. */
    private void assertBlamesTheBufferWhileAllIsReceived(Flight flight) throws Exception {
        Future<byte[]> receiver = inBackground(() -> Peer.receiveAll(pair.far()));
        assertBlamesTheBuffer(Errno.EIO, flight);
        pair.near().shutdownOutput();
        finish(receiver);
        assertAllIsWell();
    }

    /** Not all bytes have been sent, so the send must not succeed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLimitOfASendIsLoweredHalfWay(boolean several) throws Exception {
        ByteBuffer[] buffers = {ByteBuffer.allocate(MUCH), ByteBuffer.allocate(MUCH)};
        Flight send = start(o -> {
            if (several) {
                o.send(where, buffers, 0, 2, true);
            } else {
                o.send(where, buffers[0], true);
            }
        });
        assertNoCompletion();
        for (ByteBuffer each : buffers) {
            each.limit(0);
        }
        assertBlamesTheBufferWhileAllIsReceived(send);
    }

    /** For example because the program returns the buffer to a pool immediately. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLimitIsLoweredAfterACancellation(boolean direct) throws IOException {
        ByteBuffer buffer = buffer(direct, MUCH);
        Flight send = start(o -> o.send(where, buffer, true));
        assertNoCompletion();
        send.operation().cancel();
        buffer.limit(1);
        assertBlamesTheBuffer(Errno.ECANCELED, send);
        assertAllIsWell();
    }

    @Test
    void theHeadOfAFileIsTaken() throws Exception {
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), Bytes.random(MUCH))));
        ByteBuffer head = ByteBuffer.allocate(CAPACITY);
        Flight transmission = start(o -> o.transmitFile(where, file, 0, MUCH, head, null));
        assertNoCompletion();
        head.limit(1);
        assertBlamesTheBufferWhileAllIsReceived(transmission);
    }

    @Test
    void theCloseEndsIt() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(CAPACITY);
        start(o -> o.receive(where, buffer));
        collect(0);
        buffer.limit(0);
        demultiplexer.close();
        assertEquals(0, demultiplexer.inFlight());
    }

    @Test
    void twoReadsHaveOneBuffer() throws IOException {
        byte[] content = Bytes.random(2 * CAPACITY);
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
        Association association = associate(file.handle());
        ByteBuffer buffer = ByteBuffer.allocate(CAPACITY);
        Flight first = start(o -> o.read(association, buffer, 0));
        Flight second;
        try {
            second = start(o -> o.read(association, buffer, CAPACITY));
        } catch (IllegalArgumentException e) {
            // Another thread has completed the first one.
            assertEquals(0, buffer.remaining(), e::toString);
            collectAll(List.of(first));
            assertEquals(CAPACITY, first.result());
            assertAllIsWell();
            return;
        }
        collectAll(List.of(first, second));
        // Both receives may be completed before either changes the position.
        assertEquals(Set.of((long) CAPACITY, (long) -Errno.EIO.number()), Set.of(first.result(), second.result()));
        assertAllIsWell();
    }
}

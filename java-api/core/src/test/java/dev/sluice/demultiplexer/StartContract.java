package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.ForeignMemory;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.PeerAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Starting an operation: immediate rejections, and that they have no effect. */
abstract class StartContract extends OperationContract {

    private StreamPair pair;
    private Association where;

    StartContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void connect() throws IOException {
        pair = pair(StreamKind.fastest());
        where = associate(pair.near());
    }

    private void assertRefused(Class<? extends Exception> with, Flight.Start start) throws IOException {
        Flight flight = flight();
        assertThrows(with, () -> flight.start(start));
        assertFalse(flight.operation().isInFlight());
        assertEquals(0, demultiplexer.inFlight());
        assertResult(1, flight.start(o -> o.post(1)));
    }

    @Test
    void operationReturnsItsTypeAndAssociation() throws IOException {
        Operation operation = demultiplexer.newOperation();
        assertNull(operation.type());
        assertFalse(operation.isInFlight());
        operation.receive(where, ByteBuffer.allocate(1));
        assertTrue(operation.isInFlight());
        assertSame(OperationType.RECEIVE, operation.type());
        assertSame(where, operation.association());
        assertTrue(operation.toString().contains(pair.near().toString()), operation::toString);
        assertEquals(1, demultiplexer.inFlight());
    }

    @Test
    void inFlightCountsStartsWithoutACollectedEnd() throws IOException {
        List<Flight> posts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            posts.add(start(o -> o.post(0)));
        }
        assertEquals(10, demultiplexer.inFlight());
        collectAll(posts);
        assertEquals(0, demultiplexer.inFlight());
    }

    @Test
    void operationInFlightIsNotStartedAgain() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(10);
        Flight receive = start(o -> o.receive(where, buffer));
        assertThrows(IllegalStateException.class, () -> receive.start(o -> o.receive(where, ByteBuffer.allocate(1))));
        assertThrows(IllegalStateException.class, () -> receive.start(o -> o.post(1)));
        collect(0);
        assertThrows(IllegalStateException.class, () -> receive.start(o -> o.timeout(1)));
        assertSame(OperationType.RECEIVE, receive.operation().type());
        Peer.send(pair.far(), (byte) 1, (byte) 2);
        assertResult(2, receive);
        assertEquals(2, buffer.position());
    }

    @Test
    void isStartedAgainAfterItsCompletion() throws IOException {
        Flight flight = flight();
        for (int i = 0; i < 100; i++) {
            int number = i;
            assertResult(number, flight.start(o -> o.post(number)));
            flight.start(o -> o.receive(where, ByteBuffer.allocate(10)));
            Peer.send(pair.far(), (byte) 1);
            assertResult(1, flight);
        }
    }

    @Test
    void missingArgumentsAreRefused() throws IOException {
        assertRefused(NullPointerException.class, o -> o.receive(null, ByteBuffer.allocate(1)));
        assertRefused(NullPointerException.class, o -> o.receive(where, null));
        assertRefused(NullPointerException.class, o -> o.send(where, (ByteBuffer) null, true));
        assertRefused(NullPointerException.class, o -> o.accept(where, null));
        assertRefused(NullPointerException.class, o -> o.transmitFile(where, null, 0, 0, null, null));
        assertRefused(NullPointerException.class, o -> o.open(null));
        ByteBuffer[] holes = {ByteBuffer.allocate(1), null};
        assertRefused(NullPointerException.class, o -> o.receive(where, holes, 0, 2));
        assertRefused(NullPointerException.class, o -> o.send(where, holes, 0, 2, true));
    }

    private FileHandle file() throws IOException {
        return own(FileHandle.open(Files.write(directory.resolve("file"), new byte[1])));
    }

    @Test
    void wrongPartsOfATransmissionAreRefused() throws IOException {
        FileHandle file = file();
        ByteBuffer good = ByteBuffer.allocateDirect(1);
        assertRefused(NullPointerException.class, o -> o.transmitFile(where, null, 0, 1, good, null));
        assertRefused(IllegalArgumentException.class, o -> o.transmitFile(where, file, -1, 1, good, null));
        assertRefused(IllegalArgumentException.class, o -> o.transmitFile(where, file, 0, -1, good, null));
        assertRefused(IllegalArgumentException.class, o -> o.transmitFile(where, file, 0, 1, good, good));
    }

    @Test
    void wrongArgumentsAreRefused() throws IOException {
        ByteBuffer readOnly = ByteBuffer.allocateDirect(1).asReadOnlyBuffer();
        ByteBuffer full = ByteBuffer.allocateDirect(0);
        ByteBuffer good = ByteBuffer.allocateDirect(1);
        assertRefused(IllegalArgumentException.class, o -> o.receive(where, readOnly));
        assertRefused(IllegalArgumentException.class, o -> o.receive(where, full));
        assertRefused(IllegalArgumentException.class, o -> o.receive(where, new ByteBuffer[] {full, full}, 0, 2));
        assertRefused(IllegalArgumentException.class, o -> o.receive(where, new ByteBuffer[] {good, readOnly}, 0, 2));
        assertRefused(IllegalArgumentException.class, o -> o.receiveFrom(where, readOnly, null));
        assertRefused(IllegalArgumentException.class, o -> o.read(where, full, 0));
        assertRefused(IllegalArgumentException.class, o -> o.read(where, good, -1));
        assertRefused(IllegalArgumentException.class, o -> o.write(where, good, -1));
        assertRefused(IllegalArgumentException.class, o -> o.connect(where, new PeerAddress()));
        assertRefused(IllegalArgumentException.class, o -> o.sendTo(where, good, new PeerAddress()));
        assertRefused(IndexOutOfBoundsException.class, o -> o.send(where, new ByteBuffer[] {good}, 0, 2, true));
        assertEquals(0, good.position());
    }

    @Test
    void confinedMemoryIsRefused() throws Exception {
        ForeignMemory.assumeThere();
        try (AutoCloseable arena = ForeignMemory.arena("ofConfined")) {
            ByteBuffer confined = ForeignMemory.buffer(arena);
            assertRefused(IllegalStateException.class, o -> o.receive(where, confined));
            assertRefused(IllegalStateException.class, o -> o.send(where, confined, true));
            assertRefused(IllegalStateException.class, o -> o.read(where, confined, 0));
            assertRefused(IllegalStateException.class, o -> o.receiveFrom(where, confined, null));
            FileHandle file = file();
            assertRefused(IllegalStateException.class, o -> o.transmitFile(where, file, 0, 1, confined, null));
            assertRefused(IllegalStateException.class, o -> o.transmitFile(where, file, 0, 1, null, confined));
            ByteBuffer[] several = {ByteBuffer.allocateDirect(1), confined};
            assertRefused(IllegalStateException.class, o -> o.receive(where, several, 0, 2));
            assertRefused(IllegalStateException.class, o -> o.send(where, several, 0, 2, true));
        }
        Peer.send(pair.far(), (byte) 1);
        assertResult(1, start(o -> o.receive(where, ByteBuffer.allocate(10))));
    }

    @Test
    void freedMemoryIsRefused() throws Exception {
        ForeignMemory.assumeThere();
        AutoCloseable arena = ForeignMemory.arena("ofShared");
        ByteBuffer freed = ForeignMemory.buffer(arena);
        arena.close();
        assertRefused(IllegalStateException.class, o -> o.receive(where, freed));
        assertRefused(IllegalStateException.class, o -> o.send(where, freed, true));
    }
}

package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing the demultiplexer with operations in flight. */
@Tag(Depth.CORE)
abstract class ShutdownContract extends OperationContract {

    private static final int PAIRS = 50;
    private static final int MANY = 1_000;
    private static final long AN_HOUR = 3_600_000_000_000L;

    private final List<Flight> all = new ArrayList<>();
    private final List<StreamPair> pairs = new ArrayList<>();

    ShutdownContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    /** Starts a thousand operations of all kinds, some of which complete by themselves. */
    private void startMany() throws IOException {
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), new byte[100_000])));
        Association content = associate(file.handle());
        ByteBuffer much = ByteBuffer.allocateDirect(8 * 1024 * 1024);
        for (int i = 0; i < PAIRS; i++) {
            StreamPair pair = pair(i % 2 == 0 ? StreamKind.TCP : StreamKind.fastest());
            pairs.add(pair);
            Association where = associate(pair.near());
            if (i % 3 == 0) {
                Peer.send(pair.far(), (byte) 1);
            }
            Flight.Start receive = i % 4 == 0
                    ? o -> o.receiveContinuously(where)
                    : o -> o.receive(where, ByteBuffer.allocateDirect(10));
            all.add(start(receive));
            for (int j = 0; j < 5; j++) {
                all.add(start(o -> o.poll(where, EventType.READ)));
                all.add(start(o -> o.receive(where, ByteBuffer.allocate(10))));
            }
            all.add(start(o -> o.send(where, much.duplicate(), true)));
            all.add(start(o -> o.transmitFile(where, file, 0, 100_000, null, null)));
            all.add(start(o -> o.read(content, ByteBuffer.allocate(100), 0)));
            all.add(start(o -> o.open(directory.resolve("file"))));
        }
        while (all.size() < MANY) {
            long nanos = all.size() % 2 == 0 ? AN_HOUR : all.size() * 1_000L;
            all.add(start(o -> o.timeout(nanos)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterAShutdownEachOfAThousandCompletesOnce(boolean seen) throws IOException {
        startMany();
        if (seen) {
            collect(0);
            collect(0);
        }
        demultiplexer.shutdown();
        demultiplexer.shutdown();
        while (demultiplexer.inFlight() > 0) {
            assertTrue(collect(PATIENCE.toNanos()) > 0, () -> demultiplexer.inFlight() + " do not complete");
        }
        for (Flight flight : all) {
            assertTrue(flight.isDone(), flight::toString);
            assertEquals(1, flight.lasts());
            isCancelled(flight);
        }
        assertNoCompletion();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closeEndsAThousand(boolean seen) throws IOException {
        startMany();
        if (seen) {
            collect(0);
            collect(0);
        }
        demultiplexer.close();
        assertEquals(0, demultiplexer.inFlight());
        for (Flight flight : all) {
            assertFalse(flight.operation().isInFlight());
        }
        for (StreamPair pair : pairs) {
            assertTrue(pair.near().handle().isOpen());
            pair.near().close();
            assertEndsSoon(pair.far());
        }
    }

    /** If an operation still held the descriptor, the peer would not receive the end of the stream. */
    private static void assertEndsSoon(SocketStream far) throws IOException {
        try {
            Peer.receiveAll(far);
        } catch (SystemCallException e) {
            // Reset, because it was closed with unreceived bytes.
            assertEquals("ECONNRESET", e.errorName());
        }
    }

    @Test
    void shutDownItTakesNoMoreOperations() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        demultiplexer.shutdown();
        Flight flight = flight();
        assertThrows(IllegalStateException.class, () -> flight.start(o -> o.receive(where, ByteBuffer.allocate(1))));
        assertThrows(IllegalStateException.class, () -> flight.start(o -> o.post(1)));
        assertFalse(flight.operation().isInFlight());
        assertEquals(0, demultiplexer.inFlight());
    }

    @Test
    void shutdownByAnotherThreadCancelsWhileTheLoopWaits() throws Exception {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocate(1)));
        collect(0);
        var other = inBackground(() -> {
            demultiplexer.shutdown();
            return null;
        });
        assertCancelled(receive);
        finish(other);
    }

    /** A receive in flight delays the close. */
    private Flight startWaitingClose(StreamPair pair, boolean seen) throws IOException {
        Association where = associate(pair.near());
        start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        if (seen) {
            collect(0);
        }
        return start(o -> o.close(where));
    }

    private static void assertClosed(StreamPair pair) throws IOException {
        assertFalse(pair.near().handle().isOpen());
        Peer.assertEnd(pair.far());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pendingCloseIsExecutedAfterTheShutdown(boolean seen) throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Flight close = startWaitingClose(pair, seen);
        demultiplexer.shutdown();
        assertResult(0, close);
        collectUntil("the end of all", () -> demultiplexer.inFlight() == 0);
        assertClosed(pair);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closeExecutesAPendingClose(boolean seen) throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Flight close = startWaitingClose(pair, seen);
        demultiplexer.close();
        assertFalse(close.operation().isInFlight());
        assertClosed(pair);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closeOfAnotherThreadBeforeTheShutdownIsExecuted(boolean shutdown) throws Exception {
        StreamPair pair = pair(StreamKind.TCP);
        collect(0);
        Flight close = finish(inBackground(() -> startWaitingClose(pair, false)));
        if (shutdown) {
            demultiplexer.shutdown();
            assertResult(0, close);
            collectUntil("the end of all", () -> demultiplexer.inFlight() == 0);
        } else {
            demultiplexer.close();
        }
        assertClosed(pair);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pendingCloseCannotBeCancelled(boolean seen) throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Flight close = startWaitingClose(pair, seen);
        close.operation().cancel();
        assertResult(0, close);
        assertClosed(pair);
    }

    @Test
    void closedDemultiplexerRejectsAllCalls() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        StreamPair other = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        Flight flight = flight();
        demultiplexer.close();
        demultiplexer.close();
        assertThrows(HandleClosedException.class, () -> associate(other.near()));
        assertThrows(HandleClosedException.class, () -> collect(0));
        assertThrows(IllegalStateException.class, () -> flight.start(o -> o.receive(where, ByteBuffer.allocate(1))));
        assertFalse(flight.operation().isInFlight());
        demultiplexer.wakeUp();
        demultiplexer.shutdown();
        where.cancel();
        where.end();
        flight.operation().cancel();
    }

    @Test
    void closeLeavesHandlesOpen() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        collect(0);
        demultiplexer.close();
        Peer.send(pair.near(), (byte) 1);
        Peer.receive(pair.far(), 1);
        Peer.send(pair.far(), (byte) 2);
        assertEquals(2, Peer.receive(pair.near(), 1)[0]);
        pair.near().close();
        Peer.assertEnd(pair.far());
    }

    @Test
    void closeDoesNotAffectOtherHandles() throws IOException {
        assumeFalse(tiesHandlesPermanently(), () -> "a handle works with one " + demultiplexer + " only");
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        Flight timeout = start(o -> o.timeout(A_MOMENT));
        collect(0);
        try (AsynchronousEventDemultiplexer other = open(); Completions batch = other.newCompletions(4)) {
            Association there = other.associate(pair.near().handle());
            other.newOperation().poll(there, EventType.READ);
            other.awaitCompletions(batch, 0);
        }
        Peer.send(pair.far(), (byte) 1);
        assertResult(1, receive);
        assertResult(0, timeout);
    }
}

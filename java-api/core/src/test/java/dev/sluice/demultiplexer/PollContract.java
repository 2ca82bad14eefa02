package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.PerSystem;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.UrgentByte;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Waiting for readiness as an operation. */
abstract class PollContract extends OperationContract {

    PollContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private Flight poll(Association where, int events) {
        return start(o -> o.poll(where, events));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void endsWhenThereIsSomethingToRead(Transport transport) throws IOException {
        OneWayTransport ends = own(transport.open());
        Association receiver = associate(ends.receiver());
        Flight poll = poll(receiver, EventType.READ);
        assertNoCompletion();
        ends.send();
        assertResult(EventType.READ, poll);
        assertResult(EventType.READ, poll.start(o -> o.poll(receiver, EventType.READ)));
        ends.drain();
        poll.start(o -> o.poll(receiver, EventType.READ));
        assertNoCompletion();
    }

    @ParameterizedTest
    @MethodSource("transports")
    void completesImmediatelyIfWritable(Transport transport) throws IOException {
        OneWayTransport ends = own(transport.open());
        assertResult(EventType.WRITE, poll(associate(ends.sender()), EventType.WRITE));
    }

    @Test
    void waitsUntilWritable() throws IOException {
        OneWayTransport ends = own(Transport.PIPE.open());
        ends.fill();
        Flight poll = poll(associate(ends.sender()), EventType.WRITE);
        assertNoCompletion();
        ends.drain();
        assertResult(EventType.WRITE, poll);
    }

    @Test
    void resultHasTheEventsThatOccurred() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        assertResult(EventType.WRITE, poll(where, EventType.READ | EventType.WRITE));
        Peer.send(pair.far(), (byte) 1);
        assertResult(EventType.READ, poll(where, EventType.READ));
        assertResult(EventType.READ | EventType.WRITE, poll(where, EventType.READ | EventType.WRITE));
    }

    @Test
    void reportsUrgentData() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        assumeFalse(demultiplexer.name().startsWith("kqueue") && KqueueConstants.EVFILT_EXCEPT == PerSystem.NONE,
                "kqueue has no filter for urgent data here");
        Flight poll = poll(associate(pair.near()), EventType.EXCEPTION);
        assertNoCompletion();
        UrgentByte.send(pair.far(), (byte) 1);
        assertResult(EventType.EXCEPTION, poll);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void streamIsReadableAtItsEnd(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Flight poll = poll(associate(pair.near()), EventType.READ);
        assertNoCompletion();
        pair.far().close();
        assertResult(EventType.READ, poll);
    }

    @Test
    void pipeIsReadableAtItsEnd() throws IOException {
        Pipe pipe = own(Pipe.open());
        Flight poll = poll(associate(pipe.source()), EventType.READ);
        assertNoCompletion();
        pipe.sink().close();
        assertResult(EventType.READ, poll);
    }

    @Test
    void pollDoesNotChangeTheHandle() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight polls = poll(where, EventType.READ);
        Flight other = poll(where, EventType.READ);
        Peer.send(pair.far(), (byte) 1);
        assertResult(EventType.READ, polls);
        assertResult(EventType.READ, other);
        assertResult(1, start(o -> o.receive(where, ByteBuffer.allocate(10))));
    }

    @Test
    void ofDifferentDirectionsDoNotDisturbEachOther() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        int before = Peer.fill(pair);
        Flight read = poll(where, EventType.READ);
        Flight write = poll(where, EventType.WRITE);
        assertNoCompletion();
        Peer.receive(pair.far(), before);
        assertResult(EventType.WRITE, write);
        assertEquals(0, read.lasts());
        Peer.send(pair.far(), (byte) 1);
        assertResult(EventType.READ, read);
    }

    @Test
    void isCancelled() throws IOException {
        Pipe pipe = own(Pipe.open());
        Flight poll = poll(associate(pipe.source()), EventType.READ);
        assertNoCompletion();
        poll.operation().cancel();
        assertCancelled(poll);
    }

    @Test
    void needsAnEventThatAHandleCanHave() throws IOException {
        Association where = associate(own(Pipe.open()).source());
        assertThrows(IllegalArgumentException.class, () -> poll(where, 0));
        assertThrows(IllegalArgumentException.class, () -> poll(where, 1 << 3));
    }
}

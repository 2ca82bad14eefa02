package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.SocketStream;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cancellation or completion affects only the start that it belongs to. */
@Tag(Depth.CORE)
public abstract class CancelContract extends OperationContract {

    private static final int ROUNDS = Depth.times(20, 60, 300);

    protected CancelContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Test
    void ofWhatIsNotInFlightDoesNothing() throws IOException {
        Flight flight = flight();
        flight.operation().cancel();
        assertResult(1, flight.start(o -> o.post(1)));
        flight.operation().cancel();
        assertResult(2, flight.start(o -> o.post(2)));
        assertNoCompletion();
    }

    /** No thread is waiting, and no other operation completes afterwards. */
    @Test
    void withoutAWaiterTakesEffectInTheNextWait() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight much = flight().start(o -> o.timeout(TimeUnit.SECONDS.toNanos(20)));
        Flight receive = flight().start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        collect(0);
        receive.operation().cancel();
        assertTrue(isCancelled(receive));
        assertTrue(much.operation().isInFlight(), "the wait lasted until something else happened");
        much.operation().cancel();
        assertTrue(isCancelled(much));
    }

    /** The next start is never affected, whether the cancellation was too late or not. */
    @Test
    @Tag(Depth.REPEATED)
    void lateCancellationDoesNotAffectTheNextStart() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight receive = flight();
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        for (int round = 0; round < ROUNDS; round++) {
            receive.start(o -> o.receive(where, buffer.clear()));
            if (round % 3 > 0) {
                Peer.send(pair.far(), (byte) 1);
            }
            if (round % 3 == 1) {
                collect(0);
            }
            receive.operation().cancel();
            isCancelled(receive);
            receive.start(o -> o.receive(where, buffer.clear()));
            collect(0);
            Peer.send(pair.far(), (byte) 2);
            assertFalse(isCancelled(receive), "cancelled by the cancellation of its last start");
            // Bytes not received before the cancellation have been received now, and one may be left.
            Peer.send(pair.far(), (byte) 3);
            drain(receive, where, buffer);
        }
    }

    private void drain(Flight receive, Association where, ByteBuffer buffer) throws IOException {
        do {
            assertTrue(result(receive.start(o -> o.receive(where, buffer.clear()))) > 0);
        } while (buffer.get(buffer.position() - 1) != 3);
    }

    @Test
    @Tag(Depth.REPEATED)
    void fromAnotherThreadDoesNothingToTheNextStart() throws Exception {
        Flight first = flight();
        Flight second = flight();
        AtomicBoolean over = new AtomicBoolean();
        var canceller = inBackground(() -> {
            while (!over.get()) {
                first.operation().cancel();
                Thread.yield();
            }
            return null;
        });
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        for (int round = 0; round < ROUNDS; round++) {
            first.start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
            assertCancelled(first);
            second.start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
            Peer.send(pair.far(), (byte) 1);
            assertResult(1, second);
        }
        over.set(true);
        finish(canceller);
    }

    /** While no thread waits, cancellations and starts take effect in the next wait. */
    @Test
    void ofAnAssociationConcernsWhatWasStartedAfterAnEarlierOne() throws Exception {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight receive = flight();
        finish(inBackground(() -> {
            where.cancel();
            receive.start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
            where.cancel();
            return null;
        }));
        assertCancelled(receive);
    }

    @Test
    void ofAnAssociationLeavesLaterStartsAlone() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight before = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        Flight poll = start(o -> o.poll(where, EventType.READ));
        where.cancel();
        Flight after = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        assertCancelled(before);
        assertCancelled(poll);
        assertNoCompletion();
        Peer.send(pair.far(), (byte) 1);
        assertResult(1, after);
    }

    @Test
    void ofAnAssociationLeavesOthersAlone() throws IOException {
        StreamPair one = pair(StreamKind.fastest());
        StreamPair other = pair(StreamKind.fastest());
        Association where = associate(one.near());
        Association elsewhere = associate(other.near());
        Flight cancelled = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        Flight going = start(o -> o.receive(elsewhere, ByteBuffer.allocateDirect(1)));
        assertNoCompletion();
        where.cancel();
        assertCancelled(cancelled);
        assertNoCompletion();
        Peer.send(other.far(), (byte) 1);
        assertResult(1, going);
    }

    @Test
    void ofOneLeavesOthersOfTheHandleAlone() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Flight first = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        Flight second = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        Flight third = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        assertNoCompletion();
        second.operation().cancel();
        assertCancelled(second);
        assertNoCompletion();
        Peer.send(pair.far(), (byte) 1, (byte) 2);
        assertResult(1, first);
        assertResult(1, third);
    }

    /** The system reuses a descriptor's number for the next connection as soon as it is closed. */
    @Test
    @Tag(Depth.REPEATED)
    void completionsNeverReachTheNextOwnerOfADescriptor() throws IOException {
        int reused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (StreamPair old = StreamKind.fastest().connect()) {
                int number = DemultiplexerContract.descriptor(old.near().handle());
                Association oldEnd = associate(old.near());
                Flight before = start(o -> o.receive(oldEnd, ByteBuffer.allocateDirect(10)));
                Flight polled = start(o -> o.poll(oldEnd, EventType.READ));
                if (round % 2 == 0) {
                    collect(0);
                }
                Peer.send(old.far(), (byte) 1);
                old.near().close();
                if (round % 3 > 0) {
                    isCancelled(before);
                    isCancelled(polled);
                }
                try (StreamPair next = StreamKind.fastest().connect()) {
                    reused += isAmong(number, next) ? 1 : 0;
                    assertReceivesItsOwn(next.near(), next.far());
                    assertReceivesItsOwn(next.far(), next.near());
                }
                isCancelled(before);
                isCancelled(polled);
            }
        }
        // Windows does not assign the lowest free number.
        assertTrue(reused > 0 || CalledSystem.isWindows(), "no descriptor was reused");
    }

    private static boolean isAmong(int number, StreamPair pair) throws IOException {
        return DemultiplexerContract.descriptor(pair.near().handle()) == number
                || DemultiplexerContract.descriptor(pair.far().handle()) == number;
    }

    private void assertReceivesItsOwn(SocketStream near, SocketStream far) throws IOException {
        Association where = associate(near);
        ByteBuffer buffer = ByteBuffer.allocateDirect(10);
        Flight receive = start(o -> o.receive(where, buffer));
        while (collect(0) > 0) {
            assertEquals(0, receive.lasts(), "the completion of another");
        }
        Peer.send(far, (byte) 5, (byte) 6);
        assertResult(2, receive);
        assertEquals(5, buffer.get(0));
    }
}

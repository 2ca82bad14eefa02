package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.SocketDatagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The batch that a wait returns: a change that is made while its first handles are processed applies to the later ones.
 */
public abstract class BatchContract extends DemultiplexerContract {

    private OneWayTransport firstEnds;
    private OneWayTransport secondEnds;
    /** The first of a batch of two, both readable. */
    private Membership first;
    private Membership second;

    protected BatchContract(String name) {
        super(name);
    }

    private void awaitBatchOfTwo() throws IOException {
        firstEnds = open(Transport.bothWays());
        secondEnds = open(Transport.bothWays());
        firstEnds.send();
        secondEnds.send();
        Membership one = register(firstEnds.receiver(), READ);
        register(secondEnds.receiver(), READ);
        // What was sent may arrive one after the other.
        while (demultiplexer.awaitReady(ready, PATIENCE.toNanos()) == 1) {
            ready.membership(0).rearm();
        }
        assertEquals(2, ready.size());
        first = ready.membership(0);
        second = ready.membership(1);
        if (first != one) {
            OneWayTransport swapped = firstEnds;
            firstEnds = secondEnds;
            secondEnds = swapped;
        }
        assertNotSame(first, second);
        assertEquals(READ, ready.events(0));
        assertEquals(READ, ready.events(1));
    }

    private void assertSecondReadsAsNone() {
        assertEquals(2, ready.size());
        assertSame(second, ready.membership(1));
        assertEquals(0, ready.events(1));
        assertEquals(READ, ready.events(0));
    }

    /** No wait reports the second handle again, although it is still readable. */
    private void assertSecondIsSilent() throws IOException {
        first.remove();
        assertQuietFor(A_MOMENT);
    }

    @Test
    void removedReadsAsNoneAndIsNeverReportedAgain() throws IOException {
        awaitBatchOfTwo();
        second.remove();
        assertSecondReadsAsNone();
        assertSecondIsSilent();
    }

    @Test
    void closedHandleHasNoEventsAndIsNotReported() throws IOException {
        awaitBatchOfTwo();
        secondEnds.receiver().close();
        assertSecondReadsAsNone();
        assertSecondIsSilent();
    }

    @Test
    void deactivatedHandleHasNoEvents() throws IOException {
        awaitBatchOfTwo();
        second.deactivate();
        assertSecondReadsAsNone();
        assertSecondIsSilent();
    }

    @Test
    void withoutEventsReadsAsNone() throws IOException {
        awaitBatchOfTwo();
        second.setEvents(0);
        assertSecondReadsAsNone();
        assertSecondIsSilent();
    }

    @Test
    void modifiedReadsWithoutTheEventsItHasLost() throws IOException {
        awaitBatchOfTwo();
        second.setEvents(WRITE);
        assertSecondReadsAsNone();
        first.remove();
        second.rearm();
        assertReported(second, WRITE);
    }

    @Test
    void keptEventsStayWhenOthersAreAdded() throws IOException {
        awaitBatchOfTwo();
        second.setEvents(READ | WRITE);
        assertEquals(READ, ready.events(1));
        first.remove();
        second.rearm();
        assertReported(second, READ | WRITE);
    }

    @Test
    void registeredMeanwhileComesWithTheNextWait() throws IOException {
        awaitBatchOfTwo();
        OneWayTransport late = open(Transport.PIPE);
        late.send();
        Membership registration = register(late.receiver(), READ);
        assertEquals(2, ready.size());
        first.remove();
        second.remove();
        assertReported(registration, READ);
    }

    @Test
    void registeredAgainIsAnotherOne() throws IOException {
        awaitBatchOfTwo();
        second.remove();
        Membership again = register(second.handle(), READ);
        assertSecondReadsAsNone();
        first.remove();
        assertReported(again, READ);
    }

    @Test
    void newHandleWithTheDescriptorOfAClosedOneIsAnotherOne() throws IOException {
        awaitBatchOfTwo();
        int descriptor = descriptor(second.handle());
        second.handle().close();
        SocketDatagram next = openWith(descriptor);
        Membership newcomer = register(next.handle(), READ);
        assertSecondReadsAsNone();
        first.remove();
        assertQuiet();
        own(SocketDatagram.open(StreamPair.loopback())).send(ByteBuffer.allocate(1), next.localAddress());
        assertReported(newcomer, READ);
    }

    // The system assigns the lowest free number, and a lower one may be free.
    private SocketDatagram openWith(int descriptor) throws IOException {
        SocketDatagram datagram;
        int opened = 0;
        do {
            datagram = own(SocketDatagram.open(StreamPair.loopback()));
            assumeTrue(opened++ < 100, "the JVM has opened something else meanwhile");
        } while (descriptor(datagram.handle()) != descriptor);
        return datagram;
    }

    @Test
    void nextWaitForgetsTheBatch() throws IOException {
        awaitBatchOfTwo();
        first.remove();
        second.remove();
        assertQuiet();
        assertEquals(0, ready.size());
        assertThrows(IndexOutOfBoundsException.class, () -> ready.membership(0));
        assertThrows(IndexOutOfBoundsException.class, () -> ready.events(0));
    }

    @Test
    void batchCapacityIsAtLeastOne() {
        assertEquals(3, newBatch(3).capacity());
        assertThrows(IllegalArgumentException.class, () -> demultiplexer.newReadyBatch(0));
        assertThrows(IllegalArgumentException.class, () -> demultiplexer.newReadyBatch(-1));
    }

    @Test
    void batchOfAnotherDemultiplexerIsRejected() {
        ReadyBatch foreign = new ReadyBatch(BatchContract.class, 1);
        assertThrows(IllegalArgumentException.class, () -> demultiplexer.awaitReady(foreign, 0));
        assertThrows(NullPointerException.class, () -> demultiplexer.awaitReady(null, 0));
    }

    @Test
    void batchNeverExceedsItsCapacity() throws IOException {
        Set<Membership> registered = registerReadable(10);
        ReadyBatch three = newBatch(3);
        Set<Membership> reported = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            int count = demultiplexer.awaitReady(three, 0);
            assertTrue(count <= 3, () -> count + " in a batch of 3");
            assertEquals(count, three.size());
            addAll(reported, three);
        }
        assertEquals(registered, reported);
    }

    /** Handles that are ready first must not keep the others out of a batch that is too small for all. */
    @Test
    void batchOfOneReportsAllHandles() throws IOException {
        Set<Membership> registered = registerReadable(20);
        ReadyBatch one = newBatch(1);
        Set<Membership> reported = new HashSet<>();
        for (int i = 0; i < 20 * 20; i++) {
            demultiplexer.awaitReady(one, 0);
            addAll(reported, one);
        }
        assertEquals(registered, reported);
    }

    @Test
    void wakeUpsDoNotKeepHandlesOutOfABatchOfOne() throws IOException {
        Set<Membership> registered = registerReadable(3);
        ReadyBatch one = newBatch(1);
        Set<Membership> reported = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            demultiplexer.wakeUp();
            demultiplexer.awaitReady(one, PATIENCE.toNanos());
            addAll(reported, one);
        }
        assertEquals(registered, reported);
    }

    private Set<Membership> registerReadable(int count) throws IOException {
        Set<Membership> registered = new HashSet<>();
        for (int i = 0; i < count; i++) {
            OneWayTransport ends = open(Transport.PIPE);
            ends.send();
            registered.add(register(ends.receiver(), READ));
        }
        return registered;
    }

    private static void addAll(Set<Membership> reported, ReadyBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            assertEquals(READ, batch.events(i));
            reported.add(batch.membership(i));
        }
    }
}

package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link HandleSetKind#CONCURRENT}: many threads wait, and each readiness is reported to one of them. */
public abstract class ConcurrentHandleSetContract extends DemultiplexerContract {

    private static final int WAITERS = 8;
    private static final int PIPES = 32;
    private static final int EVENTS = CalledSystem.times(Depth.times(5_000, 50_000, 100_000));

    private final AtomicInteger events = new AtomicInteger();
    private volatile boolean over;

    protected ConcurrentHandleSetContract(String name) {
        super(name);
    }

    @Test
    void handleSetIsConcurrent() {
        assertEquals(HandleSetKind.CONCURRENT, demultiplexer.handleSetKind());
    }

    private List<Waiter> waiters() throws Exception {
        List<Waiter> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(waiter(FOREVER));
        }
        return waiters;
    }

    private static long ended(List<Waiter> waiters) {
        return waiters.stream().filter(waiter -> waiter.future().isDone()).count();
    }

    private void wakeAll(List<Waiter> waiters) {
        until("all waits end", () -> {
            demultiplexer.wakeUp();
            return ended(waiters) == waiters.size();
        });
    }

    @Test
    void readyHandleIsReportedToOneWaiter() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        List<Waiter> waiters = waiters();
        ends.send();
        until("one wait ends", () -> ended(waiters) > 0);
        wakeAll(waiters);
        int reports = 0;
        for (Waiter waiter : waiters) {
            reports += waiter.result();
        }
        assertEquals(1, reports);
        assertTrue(registration.isValid());
    }

    @Test
    void wakeUpEndsOneWaitAtLeast() throws Exception {
        List<Waiter> waiters = waiters();
        demultiplexer.wakeUp();
        until("one wait ends", () -> ended(waiters) > 0);
        wakeAll(waiters);
        for (Waiter waiter : waiters) {
            assertEquals(0, waiter.result());
        }
    }

    /** The order is up to the mechanism, but neither may be lost. */
    @Test
    void waitWithCapacityOneReturnsAHandleOrAWakeUp() throws Exception {
        ReadyBatch one = newBatch(1);
        for (int round = 0; round < 100; round++) {
            OneWayTransport ends = open(Transport.PIPE);
            Membership registration = register(ends.receiver(), READ);
            ends.send();
            // Once the handle is known to be ready, only the order determines the result of a wait.
            assertReported(registration, READ);
            registration.rearm();
            demultiplexer.wakeUp();
            Future<Integer> waits = start(() -> demultiplexer.awaitReady(one, FOREVER)
                    + demultiplexer.awaitReady(one, FOREVER));
            assertEquals(1, result(waits));
            registration.remove();
        }
    }

    @Test
    void closeEndsAllWaits() throws Exception {
        register(pipe().source(), READ);
        List<Waiter> waiters = waiters();
        demultiplexer.close();
        for (Waiter waiter : waiters) {
            assertThrows(HandleClosedException.class, waiter::result);
        }
    }

    @Test
    void closeEndsAllWaitsAfterWakeUps() throws Exception {
        List<Waiter> waiters = waiters();
        demultiplexer.wakeUp();
        demultiplexer.close();
        for (Waiter waiter : waiters) {
            assertEndedOrRefused(waiter);
        }
    }

    private static void assertEndedOrRefused(Waiter waiter) throws Exception {
        try {
            assertEquals(0, waiter.result());
        } catch (HandleClosedException e) {
            assertTrue(waiter.future().isDone());
        }
    }

    @Test
    void waitsEndAtTheirOwnTime() throws Exception {
        waiter(FOREVER);
        long start = System.nanoTime();
        Waiter finite = waiter(A_MOMENT);
        assertEquals(0, finite.result());
        long waited = System.nanoTime() - start;
        assertTrue(waited >= A_MOMENT, () -> "waited only " + waited + " ns");
        demultiplexer.wakeUp();
    }

    /** Each pipe contains one byte; the thread that gets the report receives it and sends it again. */
    @Test
    void eachReadinessGoesToExactlyOneWaiter() throws Exception {
        for (int i = 0; i < PIPES; i++) {
            Round round = new Round(pipe());
            demultiplexer.register(round.pipe.source(), READ, round);
            round.putBack();
        }
        List<Future<Integer>> servers = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            ReadyBatch batch = newBatch(4);
            servers.add(start(() -> serve(batch)));
        }
        int served = 0;
        for (Future<Integer> server : servers) {
            served += result(server);
        }
        assertEquals(EVENTS, served);
        assertQuiet();
    }

    @RepeatedTest(20)
    @Tag("stress")
    void eachReadinessGoesToExactlyOneWaiterOverAndOver() throws Exception {
        eachReadinessGoesToExactlyOneWaiter();
    }

    private int serve(ReadyBatch batch) throws IOException {
        int served = 0;
        try {
            while (!over) {
                demultiplexer.awaitReady(batch, FOREVER);
                for (int i = 0; i < batch.size(); i++) {
                    assertEquals(READ, batch.events(i));
                    served += ((Round) batch.membership(i).attachment()).serve(batch.membership(i));
                }
            }
            return served;
        } finally {
            // Each wakes the next, even if it has failed.
            over = true;
            demultiplexer.wakeUp();
        }
    }

    /** A pipe that contains one byte. */
    private final class Round {

        private final Pipe pipe;
        private final AtomicBoolean inUse = new AtomicBoolean();

        Round(Pipe pipe) {
            this.pipe = pipe;
        }

        void putBack() {
            if (WineDifference.SEND_IS_REFUSED_DURING_ANOTHER.isPresent()) {
                // The byte of that other send may have arrived again by now.
                until("Wine takes the byte", () -> send() == 1);
            } else {
                assertEquals(1, send());
            }
        }

        private int send() {
            try {
                return pipe.send(ByteBuffer.allocate(1));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        int serve(Membership registration) throws IOException {
            assertTrue(inUse.compareAndSet(false, true), "two threads at once");
            int received = pipe.receive(ByteBuffer.allocate(2));
            if (received == 0 && Libkqueue.isBehind(name())) {
                // A wait may report a handle as ready that another thread has received from and rearmed in the
                // meantime.
                inUse.set(false);
                registration.rearm();
                return 0;
            }
            assertEquals(1, received, "bytes in the pipe");
            int number = events.incrementAndGet();
            boolean last = number > EVENTS - PIPES;
            boolean early = number % 2 == 0;
            if (early && !last) {
                putBack();
            }
            inUse.set(false);
            registration.rearm();
            if (!early && !last) {
                putBack();
            }
            if (number == EVENTS) {
                over = true;
            }
            return 1;
        }
    }
}

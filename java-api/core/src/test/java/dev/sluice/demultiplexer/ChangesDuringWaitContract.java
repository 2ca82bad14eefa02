package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.FullSocket;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Changes that one thread makes while another waits take effect without a wake-up, and do not end the wait. */
public abstract class ChangesDuringWaitContract extends DemultiplexerContract {

    private static final int ROUNDS = CalledSystem.times(Depth.times(20, 50, 200));

    protected ChangesDuringWaitContract(String name) {
        super(name);
    }

    private static void assertReportsOnly(Waiter waiter, Membership registration, int events) throws Exception {
        assertEquals(1, waiter.result());
        assertSame(registration, waiter.ready().membership(0));
        assertEquals(events, waiter.ready().events(0));
    }

    /** Ends the wait by another handle, and asserts that it is the only one reported. */
    private void assertReportsNothingBut(Waiter waiter) throws Exception {
        assertReportsOnly(waiter, register(pipe().sink(), WRITE), WRITE);
    }

    @Test
    void registeredDuringAWaitIsReported() throws Exception {
        Waiter waiter = waiter(FOREVER);
        assertReportsOnly(waiter, register(pipe().sink(), WRITE), WRITE);
    }

    @Test
    void registeredDuringAWaitIsReportedOnceReady() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        Waiter waiter = waiter(FOREVER);
        Membership registration = register(ends.receiver(), READ);
        waiter.asleep();
        ends.send();
        assertReportsOnly(waiter, registration, READ);
    }

    @Test
    void modifiedDuringAWaitIsReported() throws Exception {
        Membership registration = register(own(StreamPair.tcp()).near().handle(), READ);
        Waiter waiter = waiter(FOREVER);
        registration.setEvents(READ | WRITE);
        assertReportsOnly(waiter, registration, WRITE);
    }

    @Test
    void activatedDuringAWaitIsReported() throws Exception {
        Membership registration = register(pipe().sink(), WRITE);
        registration.deactivate();
        Waiter waiter = waiter(FOREVER);
        registration.activate();
        assertReportsOnly(waiter, registration, WRITE);
    }

    @Test
    void rearmedDuringAWaitIsReported() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        ends.send();
        assertReported(registration, READ);
        ends.drain();
        Waiter waiter = waiter(FOREVER);
        registration.rearm();
        ends.send();
        assertReportsOnly(waiter, registration, READ);
    }

    @Test
    void handleDeactivatedDuringAWaitIsNotReported() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        Waiter waiter = waiter(FOREVER);
        registration.deactivate();
        ends.send();
        assertReportsNothingBut(waiter);
    }

    @Test
    void leftWithoutEventsDuringAWaitIsSilent() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        Waiter waiter = waiter(FOREVER);
        registration.setEvents(0);
        ends.send();
        assertReportsNothingBut(waiter);
    }

    @Test
    void removedDuringAWaitIsSilent() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        Waiter waiter = waiter(FOREVER);
        registration.remove();
        ends.send();
        assertReportsNothingBut(waiter);
    }

    @Test
    void handleClosedDuringAWaitIsNotReported() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        register(ends.receiver(), READ);
        Waiter waiter = waiter(FOREVER);
        ends.receiver().close();
        assertReportsNothingBut(waiter);
    }

    @Test
    void removedAndRegisteredAgainDuringAWaitIsReported() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        for (int round = 0; round < ROUNDS; round++) {
            Membership first = register(ends.receiver(), READ);
            Waiter waiter = waiter(FOREVER);
            first.remove();
            Membership second = register(ends.receiver(), READ);
            ends.send();
            assertReportsOnly(waiter, second, READ);
            ends.drain();
            second.remove();
        }
    }

    @Test
    void changesDoNotEndAWait() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        AtomicInteger rounds = new AtomicInteger();
        long start = System.nanoTime();
        Waiter waiter = waiter(2 * A_MOMENT);
        while (!waiter.future().isDone()) {
            Membership registration = register(ends.receiver(), READ);
            registration.setEvents(0);
            registration.setEvents(READ);
            registration.deactivate();
            registration.activate();
            registration.rearm();
            registration.remove();
            rounds.incrementAndGet();
        }
        long waited = System.nanoTime() - start;
        assertEquals(0, waiter.result());
        assertTrue(waited >= 2 * A_MOMENT, () -> "waited only " + waited + " ns, with " + rounds + " changes");
    }

    /** A waiter may have to process each change, but its timeout is not extended. */
    @Test
    void changesDoNotProlongAWait() throws Exception {
        StreamPair pair = own(StreamPair.tcp());
        FullSocket.fill(pair.near(), pair.far());
        Membership registration = register(pair.near().handle(), READ);
        long start = System.nanoTime();
        Waiter waiter = waiter(4 * A_MOMENT);
        while (!waiter.future().isDone()) {
            registration.setEvents(WRITE);
            registration.setEvents(READ);
            assertTrue(System.nanoTime() - start < PATIENCE.toNanos(), "waits as long as there are changes");
        }
        assertEquals(0, waiter.result());
    }

    /** Threads change different members concurrently; each member ends in the state that its own thread has set. */
    @Test
    void changesOfAllThreadsTakeEffect() throws Exception {
        int changers = 6;
        Membership[] registrations = new Membership[changers];
        for (int i = 0; i < changers; i++) {
            registrations[i] = register(pipe().sink(), 0);
        }
        Waiter waiter = waiter(FOREVER);
        AtomicInteger left = new AtomicInteger(changers);
        for (Membership registration : registrations) {
            start(() -> {
                churn(registration);
                return left.decrementAndGet();
            });
        }
        until("all changes are made", () -> left.get() == 0);
        waiter.asleep();
        registrations[changers - 1].activate();
        assertReportsOnly(waiter, registrations[changers - 1], WRITE);
    }

    private static void churn(Membership registration) throws IOException {
        registration.deactivate();
        for (int round = 0; round < 1_000; round++) {
            registration.setEvents(WRITE);
            registration.setEvents(0);
        }
        registration.setEvents(WRITE);
    }
}

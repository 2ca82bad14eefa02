package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a wait lasts without events. */
public abstract class TimeoutContract extends DemultiplexerContract {

    protected TimeoutContract(String name) {
        super(name);
    }

    @Test
    void zeroTimeoutPolls() throws IOException {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        assertEquals(0, demultiplexer.awaitReady(ready, 0));
        ends.send();
        assertEquals(1, demultiplexer.awaitReady(ready, 0));
        assertEquals(READ, ready.events(0));
        assertEquals(registration, ready.membership(0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 999, 1_000, 999_999, 1_000_000, 1_000_001, 1_999_999, 30_000_000})
    void finiteTimeoutIsNeverCutShort(long nanos) throws IOException {
        register(pipe().source(), READ);
        for (int round = 0; round < 5; round++) {
            long start = System.nanoTime();
            assertEquals(0, demultiplexer.awaitReady(ready, nanos));
            long waited = System.nanoTime() - start;
            assertTrue(waited >= nanos, () -> "waited only " + waited + " of " + nanos + " ns");
        }
    }

    @Test
    void finiteWaitEndsWhenAHandleIsReady() throws Exception {
        OneWayTransport ends = open(Transport.PIPE);
        register(ends.receiver(), READ);
        Waiter waiter = waiter(3_600_000_000_000L);
        ends.send();
        assertEquals(1, waiter.result());
    }

    // Including times that overflow 32 bits in milliseconds or seconds, and 64 bits when added to the clock.
    @ParameterizedTest
    @ValueSource(longs = {FOREVER, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 2,
        (1L << 31) * 1_000_000, (1L << 32) * 1_000_000, ((1L << 32) + 1) * 1_000_000, (1L << 32) * 1_000_000_000})
    void endlessAndHugeTimeoutsLastUntilTheWakeUp(long nanos) throws Exception {
        register(pipe().source(), READ);
        ThreadTime.assertSleeps(A_MOMENT, moment -> {
            Waiter waiter = waiter(nanos);
            letPass(moment);
            waiter.asleep();
            demultiplexer.wakeUp();
            assertEquals(0, waiter.result());
            return waiter.cpuNanos();
        });
    }

    private void letPass(long moment) throws IOException {
        try (SynchronousEventDemultiplexer other = openDemultiplexer(); ReadyBatch batch = other.newReadyBatch(1)) {
            assertEquals(0, other.awaitReady(batch, moment));
        }
    }

    /** The system calls of a wait fail with {@code EINTR} on a signal, whatever the flags of its handler. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void signalsNeitherEndNorShortenAFiniteWait() throws Exception {
        register(pipe().source(), READ);
        int signals;
        do {
            signals = signalAFiniteWait(4 * A_MOMENT);
        } while (signals < 2);
    }

    /** {@return the number of signals during the wait, which may be too small on a busy machine} */
    private int signalAFiniteWait(long nanos) throws Exception {
        long start = System.nanoTime();
        Waiter waiter = startWaiter(nanos);
        BooleanSupplier isAsleepOrOver = () -> waiter.future().isDone() || waiter.isAsleep();
        until("the thread sleeps", isAsleepOrOver);
        int signals = 0;
        while (!waiter.future().isDone()) {
            ThreadSignal.interruptSystemCall(waiter.threadNumber());
            signals++;
            until("the thread sleeps again", isAsleepOrOver);
        }
        long waited = System.nanoTime() - start;
        assertEquals(0, waiter.result());
        assertTrue(waited >= nanos, () -> "waited only " + waited + " of " + nanos + " ns");
        return signals;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void signalsDoNotEndAnEndlessWait() throws Exception {
        register(pipe().source(), READ);
        Waiter waiter = waiter(FOREVER);
        for (int signals = 0; signals < 10; signals++) {
            ThreadSignal.interruptSystemCall(waiter.threadNumber());
            waiter.asleep();
        }
        demultiplexer.wakeUp();
        assertEquals(0, waiter.result());
    }
}

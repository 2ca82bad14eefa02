package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.RunningThreads;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A wake-up ends the wait in progress, or the next one; several may be combined, but none is lost. */
public abstract class WakeUpContract extends DemultiplexerContract {

    private static final int THREADS = 8;
    private static final int ROUNDS = CalledSystem.times(Depth.times(2_000, 20_000, 500_000));
    private static final int LONGEST_BURST = 50;
    /** Calls that empty the descriptor of a wake-up, if there is one. */
    private static final Set<String> TAKING_BACK = Set.of("read", "recv");

    protected WakeUpContract(String name) {
        super(name);
    }

    @Test
    void wakeUpBeforeAWaitEndsIt() throws IOException {
        demultiplexer.wakeUp();
        assertEquals(0, demultiplexer.awaitReady(ready, FOREVER));
        assertEquals(0, ready.size());
    }

    @Test
    void wakeUpDuringAWaitEndsIt() throws Exception {
        Waiter waiter = waiter(FOREVER);
        demultiplexer.wakeUp();
        assertEquals(0, waiter.result());
    }

    @Test
    void wakeUpAfterAWaitEndsTheNext() throws Exception {
        Waiter waiter = waiter(FOREVER);
        demultiplexer.wakeUp();
        waiter.result();
        demultiplexer.wakeUp();
        assertEquals(0, demultiplexer.awaitReady(ready, FOREVER));
    }

    @Test
    void wakeUpEndsOneWaitOnly() throws IOException {
        demultiplexer.wakeUp();
        assertEquals(0, demultiplexer.awaitReady(ready, FOREVER));
        assertQuietFor(A_MOMENT);
    }

    @Test
    void wakeUpsFromManyThreadsEndTheWait() throws Exception {
        Waiter waiter = waiter(FOREVER);
        for (Future<Void> waker : wakeFromManyThreads(1)) {
            result(waker);
        }
        assertEquals(0, waiter.result());
    }

    @Test
    void manyWakeUpsAreUsedUp() throws Exception {
        for (Future<Void> waker : wakeFromManyThreads(1_000)) {
            result(waker);
        }
        assertEquals(0, demultiplexer.awaitReady(ready, FOREVER));
        long start;
        do {
            start = System.nanoTime();
            assertEquals(0, demultiplexer.awaitReady(ready, A_MOMENT));
        } while (System.nanoTime() - start < A_MOMENT);
        assertQuietFor(A_MOMENT);
    }

    private Future<Void>[] wakeFromManyThreads(int times) {
        @SuppressWarnings({"unchecked", "rawtypes"})
        Future<Void>[] wakers = new Future[THREADS];
        for (int i = 0; i < THREADS; i++) {
            wakers[i] = start(() -> {
                for (int round = 0; round < times; round++) {
                    demultiplexer.wakeUp();
                }
                return null;
            });
        }
        return wakers;
    }

    @Test
    void wakeUpDoesNotHideAReadyHandle() throws IOException {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        ends.send();
        demultiplexer.wakeUp();
        assertReported(registration, READ);
    }

    @Test
    void wakeUpBeforeAnotherIsTakenBackLosesNoLaterOne() throws Exception {
        InterceptedCalls calls = new InterceptedCalls(Bindings.current());
        SynchronousEventDemultiplexer intercepted = own(openDemultiplexer(calls.binding()));
        calls.before(TAKING_BACK, intercepted::wakeUp);
        assertLaterWakeUpsCount(intercepted);
    }

    @Test
    void wakeUpAfterAnotherWasTakenBackLosesNoLaterOne() throws Exception {
        InterceptedCalls calls = new InterceptedCalls(Bindings.current());
        SynchronousEventDemultiplexer intercepted = own(openDemultiplexer(calls.binding()));
        calls.after(TAKING_BACK, intercepted::wakeUp);
        assertLaterWakeUpsCount(intercepted);
    }

    /**
     * If the failure were ignored, the waiter would stay asleep, and each later wake-up would be combined with this
     * one.
     */
    @Test
    void failedWakeUpThrowsAndTheNextTakesEffect() throws IOException {
        try (FaultInjection faults = FaultInjection.install();
                SynchronousEventDemultiplexer refused = openDemultiplexer(Bindings.current());
                ReadyBatch batch = refused.newReadyBatch(1)) {
            Set<String> calls = waking(refused.name());
            calls.forEach(call -> faults.failNth(call, 1, Errno.ENOMEM));
            UncheckedIOException failure = assertThrows(UncheckedIOException.class, refused::wakeUp);
            assertTrue(calls.contains(((SystemCallException) failure.getCause()).call()), failure::toString);
            faults.heal();
            refused.wakeUp();
            assertEquals(0, refused.awaitReady(batch, FOREVER));
        }
    }

    /** A thread that the close did not wake up would sleep forever. */
    @Test
    void closeEndsAllWaitsAfterFailedSignals() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            SynchronousEventDemultiplexer refused = own(openDemultiplexer(Bindings.current()));
            List<Waiter> waiters = waitersOf(refused);
            for (String call : waking(refused.name())) {
                // Including the signals of a chain of waiters; only calls that also wait must not fail.
                for (int n = 1; n <= (call.equals("kevent") ? 1 : 5); n++) {
                    faults.failNth(call, n, Errno.ENOMEM);
                }
            }
            refused.close();
            for (Waiter waiter : waiters) {
                assertThrows(HandleClosedException.class, waiter::result);
            }
        }
    }

    @Test
    void closeEndsAllWaitsWhenSignalsWorkAgain() throws Exception {
        assumeFalse(waking(name()).contains("kevent"), "the same call waits");
        try (FaultInjection faults = FaultInjection.install()) {
            SynchronousEventDemultiplexer refused = own(openDemultiplexer(Bindings.current()));
            List<Waiter> waiters = waitersOf(refused);
            RunningThreads before = RunningThreads.now();
            waking(refused.name()).forEach(call -> faults.failEach(call, Errno.ENOMEM));
            // An interrupted thread does not pause between its attempts.
            Thread.currentThread().interrupt();
            boolean interrupted;
            try {
                assertThrows(UncheckedIOException.class, refused::close);
            } finally {
                interrupted = Thread.interrupted();
            }
            assertTrue(interrupted, "the interrupt is left to the caller");
            waiters.forEach(waiter -> assertFalse(waiter.future().isDone(), "waits while the system refuses"));
            faults.heal();
            for (Waiter waiter : waiters) {
                assertThrows(HandleClosedException.class, waiter::result);
            }
            // If the thread that continues the close is the last to leave the set, it closes the descriptors.
            before.awaitEndOfOthers();
        }
    }

    /** {@return as many sleeping waits as the set allows} */
    private List<Waiter> waitersOf(SynchronousEventDemultiplexer set) throws Exception {
        int count = set.handleSetKind() == HandleSetKind.CONCURRENT ? 3 : 1;
        List<Waiter> waiters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiters.add(new Waiter(set::awaitReady, own(set.newReadyBatch(1)), FOREVER).asleep());
        }
        return waiters;
    }

    private static Set<String> waking(String demultiplexer) {
        if (CalledSystem.isWindows()) {
            return Set.of("send", "PostQueuedCompletionStatus", "SetEvent");
        }
        return Set.of(demultiplexer.startsWith("kqueue") ? "kevent" : "write");
    }

    /** In other cases this error means that the previous wake-up has not been processed yet. */
    @Test
    @Tag(CalledSystem.ONLY_WINDOWS)
    void wakeUpIsNotLostIfSendWouldBlock() throws IOException {
        try (FaultInjection faults = FaultInjection.install();
                SynchronousEventDemultiplexer deferring = openDemultiplexer(Bindings.current());
                ReadyBatch batch = deferring.newReadyBatch(1)) {
            faults.returnNth("send", 1, -WindowsError.WSAEWOULDBLOCK)
                    .returnNth("send", 2, -WindowsError.WSAEWOULDBLOCK);
            deferring.wakeUp();
            assertEquals(0, deferring.awaitReady(batch, FOREVER));
        }
    }

    private void assertLaterWakeUpsCount(SynchronousEventDemultiplexer intercepted) throws Exception {
        ReadyBatch batch = own(intercepted.newReadyBatch(1));
        Future<Integer> waits = start(() -> {
            int ready = 0;
            for (int wait = 0; wait < 3; wait++) {
                intercepted.wakeUp();
                ready += intercepted.awaitReady(batch, FOREVER);
            }
            return ready;
        });
        try {
            assertEquals(0, result(waits));
        } finally {
            intercepted.close();
        }
    }

    @Test
    @Tag(Depth.REPEATED)
    void wakeUpIsNeverLost() throws Exception {
        assertNoneIsLostWhile(() -> {
            Thread.yield();
            return null;
        });
    }

    /** A change also interrupts the waiter, which must not lose a wake-up. */
    @Test
    @Tag(Depth.REPEATED)
    void wakeUpIsNeverLostAmongChanges() throws Exception {
        Membership registration = register(pipe().source(), READ);
        assertNoneIsLostWhile(() -> {
            registration.setEvents(0);
            registration.setEvents(READ);
            return null;
        });
    }

    /**
     * Publishes numbers, each followed by a wake-up, in bursts of many lengths, and pauses after each burst until the
     * waiter has seen its last: it would wait forever for a wake-up that is lost.
     */
    private void assertNoneIsLostWhile(Callable<?> meanwhile) throws Exception {
        AtomicInteger published = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        Future<Void> consumer = start(() -> {
            while (!over.get()) {
                demultiplexer.awaitReady(ready, FOREVER);
                seen.set(published.get());
            }
            return null;
        });
        Future<Void> others = start(() -> {
            while (!over.get()) {
                meanwhile.call();
            }
            return null;
        });
        int number = 1;
        for (int burst = 1; number <= ROUNDS; burst = burst % LONGEST_BURST + 1) {
            for (int i = 0; i < burst; i++, number++) {
                published.set(number);
                demultiplexer.wakeUp();
            }
            int last = number - 1;
            until("a wake-up after number " + last, () -> seen.get() >= last);
        }
        over.set(true);
        demultiplexer.wakeUp();
        result(consumer);
        result(others);
    }
}

package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The system refuses the call that waits, or memory, when the proactor is to be closed. */
@EnabledOnOs({OS.LINUX, OS.WINDOWS})
class RefusedWaitTest extends ProactorContract {

    /** More calls than any loop makes before it closes. */
    private static final int MANY = 500;

    private String waitCall() {
        return WaitFunctions.waiting(demultiplexer);
    }

    private Proactor openWith(FaultInjection faults, Connection connection) throws Exception {
        Proactor opened = own(Proactor.open(demultiplexer));
        AsyncStream stream = new AsyncStream(opened, connection.near(), recorder);
        stream.receive(ByteBuffer.allocateDirect(8), "receive");
        opened.timeout(recorder, "time-out", Duration.ofDays(1));
        opened.runOnce(Duration.ZERO);
        assertTrue(faults.calls(waitCall()) > 0, "waits by another call than " + waitCall());
        return opened;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theCloseEndsAllInSpiteOfOneRefusal(int number) throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            Proactor opened = openWith(faults, tcp());
            faults.failNth(waitCall(), number, Errno.ENOMEM);
            opened.close();
        }
        assertEquals(2, recorder.over());
        assertTrue(recorder.last("receive").isCancelled() && recorder.last("time-out").isCancelled());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Integer.MAX_VALUE})
    void theCloseEndsAllWithoutMemory(int times) throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        Binding plentiful = Bindings.use(ScarceMemory.of(Bindings.current(), () -> refusals.getAndDecrement() > 0));
        try (FaultInjection faults = FaultInjection.install()) {
            OtherThread.run(() -> {
                Proactor opened = openWith(faults, tcp());
                refusals.set(times);
                opened.close();
            });
        } finally {
            Bindings.use(plentiful);
        }
        assertEquals(2, recorder.over());
        assertTrue(recorder.last("receive").isCancelled() && recorder.last("time-out").isCancelled());
    }

    /** {@return one that is ended by each wait that fails from now on, with operations of all sorts in flight} */
    private Proactor openForManyFailures(FaultInjection faults, Connection connection) throws Exception {
        Proactor opened = own(Proactor.open(demultiplexer));
        AsyncStream near = new AsyncStream(opened, connection.near(), recorder);
        near.receive(ByteBuffer.allocateDirect(8), "first");
        near.receive(ByteBuffer.allocateDirect(8), "second");
        near.poll(Interest.READ, "poll");
        opened.runOnce(Duration.ZERO);
        assertTrue(faults.calls(waitCall()) > 0, "waits by another call than " + waitCall());
        return opened;
    }

    private void assertAllAreCancelled(Object... tokens) {
        for (Object token : tokens) {
            assertTrue(recorder.last(token).isCancelled(), () -> recorder.last(token).toString());
        }
        assertEquals(tokens.length, recorder.over());
        assertEquals(List.of(), recorder.failures());
    }

    // The memory of calls whose packets cannot be had is lost, as Windows may still write to it.
    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void aLoopThatCanNeverWaitAgainNotifiesAllHandlers() throws Exception {
        Connection connection = tcp();
        CompletableFuture<Long> future;
        try (FaultInjection faults = FaultInjection.install()) {
            Proactor opened = openForManyFailures(faults, connection);
            future = new AsyncStream(opened, own(tcp().near()), recorder).receiveFuture(ByteBuffer.allocateDirect(8));
            opened.runOnce(Duration.ZERO);
            faults.failEach(waitCall(), Errno.ENOMEM);
            SystemCallException failure = assertThrows(SystemCallException.class, opened::run);
            assertEquals("ENOMEM", failure.errorName());
            assertFalse(opened.isOpen());
            assertThrows(IllegalStateException.class, () -> opened.runOnce(Duration.ZERO));
            opened.close();
        }
        assertAllAreCancelled("first", "second", "poll");
        assertTrue(future.isCancelled());
    }

    /** What a broken binding throws. */
    // The memory of calls whose packets cannot be had is lost, as Windows may still write to it.
    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void aLoopWhoseWaitsThrowNotifiesAllHandlers() throws Exception {
        IllegalArgumentException failure = new IllegalArgumentException("thrown by the test");
        Connection connection = tcp();
        try (FaultInjection faults = FaultInjection.install()) {
            Proactor opened = openForManyFailures(faults, connection);
            for (int i = 1; i <= MANY; i++) {
                faults.throwNth(waitCall(), i, failure);
            }
            assertThrows(IllegalArgumentException.class, opened::run);
            opened.close();
        }
        assertAllAreCancelled("first", "second", "poll");
    }

    /** The buffers and memory of its operations are not leaked, unlike after a permanent failure of its waits. */
    @Test
    void aLoopWithoutMemoryForItsWaitsIsClosedWhenThereIsSome() throws Exception {
        Connection connection = tcp();
        try (FaultInjection faults = FaultInjection.install()) {
            Proactor opened = openForManyFailures(faults, connection);
            OutOfMemoryError failure = new OutOfMemoryError("thrown by the test");
            for (int i = 1; i <= MANY; i++) {
                faults.throwNth(waitCall(), i, failure);
            }
            assertSame(failure, assertThrows(OutOfMemoryError.class, opened::run));
            assertFalse(opened.isOpen());
            faults.heal();
            opened.close();
        }
        assertAllAreCancelled("first", "second", "poll");
    }

    /** A call takes a little of the heap before it gets to the system. Others have all of it, and give it back. */
    @Test
    void aWaitIsTriedAgainWhenThereWasNoMemoryForIt() throws Exception {
        Connection connection = tcp();
        try (FaultInjection faults = FaultInjection.install()) {
            Proactor opened = openForManyFailures(faults, connection);
            recorder.on(OperationType.RECEIVE, completion -> opened.stop());
            connection.send("x");
            for (int n = 1; n <= 3; n++) {
                faults.throwNth(waitCall(), n, new OutOfMemoryError("thrown by the test"));
            }
            opened.run();
            assertTrue(faults.calls(waitCall()) > 3);
            assertEquals(1, recorder.last("first").bytes());
            assertTrue(opened.isOpen());
            opened.close();
        }
    }

    // The memory of calls whose packets cannot be had is lost, as Windows may still write to it.
    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void handlersMayThrowStartAndCloseDuringTheClose() throws Exception {
        Connection connection = tcp();
        AtomicInteger refused = new AtomicInteger();
        try (FaultInjection faults = FaultInjection.install()) {
            Proactor opened = openForManyFailures(faults, connection);
            AsyncStream far = new AsyncStream(opened, connection.far(), recorder);
            recorder.on(OperationType.RECEIVE, completion -> {
                try {
                    far.receive(ByteBuffer.allocate(1), "too late");
                } catch (IllegalStateException e) {
                    refused.incrementAndGet();
                }
                opened.close();
                connection.near().close();
                throw new IOException("thrown by the test");
            });
            faults.failEach(waitCall(), Errno.ENOMEM);
            assertThrows(SystemCallException.class, opened::run);
        }
        assertEquals(2, refused.get());
        assertEquals(3, recorder.over());
        assertEquals(2, recorder.failures().size());
    }

    @Test
    void aCloseNeedsNoMemory() throws Exception {
        AtomicBoolean empty = new AtomicBoolean();
        Binding plentiful = Bindings.use(ScarceMemory.of(Bindings.current(), empty::get));
        try {
            Proactor opened = own(Proactor.open(demultiplexer));
            empty.set(true);
            opened.close();
            assertThrows(IllegalStateException.class, () -> opened.runOnce(Duration.ZERO));
        } finally {
            Bindings.use(plentiful);
        }
    }
}
